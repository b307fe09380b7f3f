"""The utilisation gauge: a half circle with the thresholds of the decision. Pure geometry; a template draws it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from handoffs.policy import Policy

CENTRE, RADIUS, INNER, OUTER, LABEL = 100.0, 80.0, 71.0, 91.0, 101.0


@dataclass(frozen=True, slots=True)
class GaugeMark:
    """A tick from (x1, y1) to (x2, y2) with its label at (x, y), in the gauge's units."""

    x1: float
    y1: float
    x2: float
    y2: float
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Gauge:
    """`filled` is the length of the arc out of 100; `share` is None, and there are no marks, where the window is not known."""

    share: float | None
    filled: float
    marks: Sequence[GaugeMark]


def gauge(share: float | None, policy: Policy) -> Gauge:
    """The gauge of a window used to `share` (0..1), with a mark at each threshold."""
    if share is None:
        return Gauge(None, 0.0, [])
    thresholds = sorted({policy.long_task_at, policy.fold_at, policy.handoff_at})
    return Gauge(share, round(max(0.0, min(1.0, share)) * 100, 2), [_mark(threshold) for threshold in thresholds])


def _mark(share: float) -> GaugeMark:
    (x1, y1), (x2, y2), (x, y) = (_point(share, radius) for radius in (INNER, OUTER, LABEL))
    return GaugeMark(x1, y1, x2, y2, x, round(y + 4, 1), f"{share:.0%}".rstrip("%"))


def _point(share: float, radius: float) -> tuple[float, float]:
    angle = math.pi * (1 - share)
    return round(CENTRE + radius * math.cos(angle), 1), round(CENTRE - radius * math.sin(angle), 1)
