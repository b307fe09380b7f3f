"""The utilisation gauge: a half circle with the thresholds of the decision. Pure geometry; a template draws it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from handoffs.policy import Policy

CENTRE, RADIUS, INNER, OUTER, LABEL = 100.0, 80.0, 71.0, 91.0, 103.0
APART = 0.065  # of the half circle, at least, between two labels: the width of “100”


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
    return Gauge(
        share, round(max(0.0, min(1.0, share)) * 100, 2), [_mark(*each) for each in zip(thresholds, _spread(thresholds), strict=True)]
    )


def _spread(shares: Sequence[float]) -> Sequence[float]:
    """Where labels of ascending `shares` stand so that none covers another: in their order, as near as can be, within the half circle."""
    places: list[float] = []
    for share in shares:
        places.append(max(share, places[-1] + APART) if places else share)
    if not places:
        return places
    pushed = max((place - share for place, share in zip(places, shares, strict=True)), default=0.0)
    first = max(0.0, places[0] - pushed / 2)  # half of what the last one was pushed up, the others are pulled down
    places = [max(place - pushed / 2, first + number * APART) for number, place in enumerate(places)]
    over = max(0.0, places[-1] - 1.0)
    return [place - over for place in places]


def _mark(share: float, label_at: float) -> GaugeMark:
    (x1, y1), (x2, y2) = (_point(share, radius) for radius in (INNER, OUTER))
    x, y = _point(label_at, LABEL)
    return GaugeMark(x1, y1, x2, y2, x, round(y + 4, 1), f"{share:.0%}".rstrip("%"))


def _point(share: float, radius: float) -> tuple[float, float]:
    angle = math.pi * (1 - share)
    return round(CENTRE + radius * math.cos(angle), 1), round(CENTRE - radius * math.sin(angle), 1)
