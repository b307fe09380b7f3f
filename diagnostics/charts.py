"""The geometry of charts: where lines, bars, ticks and targets go in a picture of fixed units. Pure; templates draw it."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 440, 190
LEFT, RIGHT, TOP, BOTTOM = 50, 10, 14, 24
LABELS = 6  # as many fit under a picture


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high`, linear or logarithmic; `ticks` are the values that get a line and a label."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    logarithmic: bool = False

    def y(self, value: float) -> float:
        """The height of a value in the picture, kept within it."""
        low, high, given = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, given = math.log10(low), math.log10(high), math.log10(given)
        return round(HEIGHT - BOTTOM - (given - low) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)


MILLISECONDS = Scale(1, 10_000, ((1, "1 ms"), (10, "10 ms"), (100, "100 ms"), (1000, "1 s"), (10_000, "10 s")), logarithmic=True)


def shares(values: Iterable[float | None]) -> Scale:
    """Of rates 0..1: the upper part where all are there, so that a small loss is seen."""
    least = min((value for value in values if value is not None), default=1.0)
    if least >= 0.9:
        return Scale(0.9, 1.0, ((0.9, "90%"), (0.95, "95%"), (1.0, "100%")))
    return Scale(0.0, 1.0, ((0.0, "0%"), (0.5, "50%"), (1.0, "100%")))


def amounts(values: Iterable[float | None]) -> Scale:
    """Of counts from 0 to a round number above the largest."""
    largest = max((value for value in values if value is not None), default=0.0)
    step = 10.0 ** math.floor(math.log10(largest)) if largest >= sys.float_info.min else 1.0
    top = next(step * factor for factor in (1, 2, 5, 10) if step * factor >= largest)
    levels = (0.0, top / 2, top) if (top / 2).is_integer() else (0.0, top)  # nothing counts two and a half
    return Scale(0.0, top, tuple((level, short(level)) for level in levels))


def short(number: float) -> str:
    """1,250,000 as `1.2 M`."""
    for size, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{sign}"
    return f"{number:.3g}"


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One line: a value for each time, None where nothing was measured."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class ChartLine:
    """`path` goes through all points, with a gap where a value is missing; `dots` are those without a neighbour."""

    name: str
    place: int
    path: str
    dots: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A label at (x, y), or a line across the picture at y."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Lines:
    lines: Sequence[ChartLine]
    levels: Sequence[ChartMark]
    times: Sequence[ChartMark]
    target: ChartMark | None
    empty: bool
    table: Sequence[tuple[str, Sequence[float | None]]]


def lines(series: Sequence[ChartSeries], times: Sequence[str], scale: Scale, *, target: tuple[float, str] | None = None) -> Lines:
    """Series over the same `times`; `target` is a value and what it is called."""
    xs = _spread(len(times))
    every = max(1, math.ceil(len(times) / LABELS))
    return Lines(
        lines=[_line(each, place, xs, scale) for place, each in enumerate(series)],
        levels=[ChartMark(LEFT, scale.y(value), label) for value, label in scale.ticks],
        times=[ChartMark(xs[at], HEIGHT - 6, times[at]) for at in range(0, len(times), every)],
        target=ChartMark(WIDTH - RIGHT, scale.y(target[0]), target[1]) if target else None,
        empty=all(value is None for each in series for value in each.values),
        table=[(time, [each.values[at] for each in series]) for at, time in enumerate(times)],
    )


def _spread(count: int) -> list[float]:
    room = WIDTH - LEFT - RIGHT
    return [round(LEFT + room * (at + 0.5) / count, 1) for at in range(count)]


def _line(series: ChartSeries, place: int, xs: Sequence[float], scale: Scale) -> ChartLine:
    points = [None if value is None else (x, scale.y(value)) for x, value in zip(xs, series.values, strict=True)]
    path, dots = [], []
    for at, point in enumerate(points):
        if point is None:
            continue
        before, after = at > 0 and points[at - 1] is not None, at + 1 < len(points) and points[at + 1] is not None
        path.append(f"{'L' if before else 'M'}{point[0]} {point[1]}")
        if not before and not after:
            dots.append(point)
    return ChartLine(series.name, place, "".join(path), dots)
