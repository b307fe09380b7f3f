"""Observations under one set of labels: a counter's total, a gauge's value, or a histogram's buckets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from diagnostics.measuring.instruments import Instrument
from diagnostics.measuring.observing import Observation

OTHER = "other"  # the value of an id label for all ids beyond the bound

Labels = tuple[tuple[str, str], ...]
Key = tuple[str, str, Labels]


@dataclass(slots=True)
class MetricPoint:
    """`total` is the sum of what was observed, `count` how often; `buckets` count what lies in each of the instrument's bounds
    and, last, above them. `since` is when it began to be counted."""

    instrument: Instrument
    labels: Labels = ()
    count: int = 0
    total: float = 0.0
    buckets: list[int] = field(default_factory=list)
    since: datetime | None = None

    def add(self, value: float) -> None:
        if self.instrument.bounds:
            self.buckets = self.buckets or [0] * (len(self.instrument.bounds) + 1)
            self.buckets[bisect_left(self.instrument.bounds, value)] += 1
        self.count += 1
        self.total += value


def sum_up(observations: Iterable[Observation], named: Mapping[str, Container[str]]) -> dict[Key, MetricPoint]:
    """The observations added up under their instrument, id and labels; an id that is not in `named[id_label]` is `other`."""
    points: dict[Key, MetricPoint] = {}
    for seen in observations:
        id_label = seen.instrument.id_label
        subject = seen.subject if not id_label or seen.subject in named[id_label] else OTHER
        key = (seen.instrument.name, subject, seen.labels)
        points.setdefault(key, MetricPoint(seen.instrument, labels=seen.labels)).add(seen.value)
    return points
