"""The geometry of bars, beside that of lines. Pure; templates draw it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diagnostics.charts import BOTTOM, HEIGHT, LABELS, LEFT, RIGHT, WIDTH, ChartMark, _spread, amounts


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    label: str
    value: float
    level: str


@dataclass(frozen=True, slots=True)
class Bars:
    """`areas` are the bars of each level as one path."""

    areas: Sequence[tuple[str, str]]
    bars: Sequence[Bar]
    levels: Sequence[ChartMark]
    times: Sequence[ChartMark]
    empty: bool


def bars(named: Sequence[tuple[str, float, str]]) -> Bars:
    """One bar for each (label, value, level); the level is its colour."""
    scale, xs = amounts(value for _label, value, _level in named), _spread(len(named))
    wide = round((WIDTH - LEFT - RIGHT) / max(1, len(named)) * 0.7, 1)
    foot = HEIGHT - BOTTOM
    drawn = [
        Bar(round(x - wide / 2, 1), scale.y(value), wide, round(foot - scale.y(value), 1), label, value, level)
        for x, (label, value, level) in zip(xs, named, strict=True)
    ]
    every = max(1, math.ceil(len(named) / (LABELS + 2)))
    return Bars(
        areas=[(level, _area(bar for bar in drawn if bar.level == level)) for level in sorted({bar.level for bar in drawn})],
        bars=drawn,
        levels=[ChartMark(LEFT, scale.y(value), label) for value, label in scale.ticks],
        times=[ChartMark(xs[at], HEIGHT - 6, named[at][0]) for at in range(0, len(named), every)],
        empty=not any(value for _label, value, _level in named),
    )


def _area(drawn: Iterable[Bar]) -> str:
    return "".join(f"M{bar.x} {bar.y}h{bar.width}v{bar.height}h-{bar.width}z" for bar in drawn)
