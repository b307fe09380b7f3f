"""The token curve: how the window filled, with thresholds as lines and the predicted way to its end.

Coordinates are percentages of the plot, so that a picture of any width keeps the size of its letters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

HEADROOM = 1.06
FURTHEST = 1.6  # a prediction beyond this share of the messages so far leaves the picture
TICKS = 4
LETTERS = 12.0  # percent of the height that a line of letters takes


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A labelled place: on the tokens' axis from the top, or on the messages' axis from the left. `aside` is whether its label goes to
    the other end of its line, since another one stands so near that they would lie over one another."""

    at: float
    label: str
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """`line`, `area` and `ahead` are paths in a box of 100 × 100; `ahead` is empty where nothing is predicted."""

    line: str
    area: str
    ahead: str
    thresholds: Sequence[CurveMark]
    ticks: Sequence[CurveMark]


def curve(
    points: Sequence[tuple[int, int]], *, window: int | None, thresholds: Mapping[str, float], full_at: float | None = None
) -> Curve | None:
    """From (message, tokens) in order; `thresholds` are shares of the window by their label, `full_at` the message that is predicted
    to fill it. A window that is not known has neither. None where there is not yet a line to draw."""
    if len(points) < 2 or points[-1][0] <= points[0][0]:
        return None
    first, (last, now) = points[0][0], points[-1]
    end = float(last)
    if full_at is not None and full_at > last:
        end = min(full_at, first + (last - first) * FURTHEST)
    top = max(window or 1, *(tokens for _seq, tokens in points)) * HEADROOM

    def x(seq: float) -> float:
        return round((seq - first) / (end - first) * 100, 2)

    def y(tokens: float) -> float:
        return round(100 - tokens / top * 100, 2)

    line = " ".join(f"{'L' if place else 'M'}{x(seq)} {y(tokens)}" for place, (seq, tokens) in enumerate(points))
    ahead = ""
    if window and full_at is not None and full_at > last:
        reached = now + (window - now) * (end - last) / (full_at - last)
        ahead = f"M{x(last)} {y(now)} L{x(end)} {y(reached)}"
    marks = _apart([CurveMark(y(window * share), label) for label, share in thresholds.items()]) if window else []
    ticks = [CurveMark(x(seq), f"{seq:,}") for seq in _round_numbers(first, end)]
    return Curve(line, f"{line} L{x(last)} 100 L0 100 Z", ahead, marks, ticks)


def _apart(marks: Sequence[CurveMark]) -> list[CurveMark]:
    """Labels that are near one another alternate between the two ends of their lines."""
    found: list[CurveMark] = []
    for mark in sorted(marks, key=lambda mark: mark.at):
        near = found and mark.at - found[-1].at < LETTERS and not found[-1].aside
        found.append(replace(mark, aside=bool(near)))
    return found


def _round_numbers(first: int, end: float) -> list[int]:
    """A few round message numbers between two."""
    rough = (end - first) / TICKS
    size = 10 ** (len(str(int(rough))) - 1) if rough >= 1 else 1
    step = next((factor * size for factor in (1, 2, 5, 10) if factor * size >= rough), 10 * size)
    return [seq for seq in range(step, int(end) + 1, step) if seq > first][: TICKS + 1]
