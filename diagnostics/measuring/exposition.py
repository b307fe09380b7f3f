"""The text that Prometheus scrapes (format 0.0.4), with every name as specified but for its dots.

Written here because the client library puts `_total` behind the name of every counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby

from diagnostics.measuring.instruments import InstrumentKind
from diagnostics.measuring.points import Labels, MetricPoint


def exposition(points: Iterable[MetricPoint]) -> str:
    """All points as text, one family for each instrument."""
    ordered = sorted(points, key=lambda point: (point.instrument.name, point.labels))
    lines: list[str] = []
    for instrument, family in groupby(ordered, key=lambda point: point.instrument):
        name = prometheus_name(instrument.name)
        unit = f" ({instrument.unit})" if instrument.unit not in ("", "1") else ""
        lines += [f"# HELP {name} {instrument.description}{unit}", f"# TYPE {name} {instrument.kind}"]
        for point in family:
            lines += _histogram(name, point) if instrument.kind is InstrumentKind.HISTOGRAM else [_sample(name, point.labels, point.total)]
    return "".join(f"{line}\n" for line in lines)


def prometheus_name(name: str) -> str:
    return name.replace(".", "_")


def _histogram(name: str, point: MetricPoint) -> Iterator[str]:
    limits = [*(f"{bound:g}" for bound in point.instrument.bounds), "+Inf"]
    for limit, count in zip(limits, accumulate(point.buckets), strict=True):
        yield _sample(f"{name}_bucket", (*point.labels, ("le", limit)), count)
    yield _sample(f"{name}_sum", point.labels, point.total)
    yield _sample(f"{name}_count", point.labels, point.count)


def _sample(name: str, labels: Labels, value: float) -> str:
    shown = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
    return f"{name}{{{shown}}} {value!r}" if shown else f"{name} {value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
