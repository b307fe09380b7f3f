"""A line without axes, for the course of one figure."""

from collections.abc import Sequence

WIDTH, HEIGHT, MARGIN = 100.0, 28.0, 3.0


def sparkline(values: Sequence[float | None]) -> str:
    """The `d` of a path in a box of 100 × 28 from 0 (or the least, if below) up to the greatest value; a missing value leaves a gap,
    and one that stands alone is a dot.

    Empty where there are fewer than two values.
    """
    known = [value for value in values if value is not None]
    if len(values) < 2 or not known:
        return ""
    low, high = min(0.0, *known), max(known)
    scale = (HEIGHT - 2 * MARGIN) / ((high - low) or 1.0)
    step = WIDTH / (len(values) - 1)
    told = []
    for place, value in enumerate(values):
        if value is None:
            continue
        point = f"{place * step:.1f} {HEIGHT - MARGIN - (value - low) * scale:.1f}"
        begins = place == 0 or values[place - 1] is None
        told.append(f"{'M' if begins else 'L'}{point}")
        if begins and (place + 1 == len(values) or values[place + 1] is None):
            told.append(f"L{point}")
    return " ".join(told)
