"""Metrics that teams bring themselves (FR-049): counted beside ours, told to Prometheus and over OTLP as ours are."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from continuity.core.errors import Conflict, Invalid, TooMany
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.secrets import message_masking
from diagnostics.measuring.instruments import MILLISECONDS, Instrument, InstrumentKind
from diagnostics.measuring.points import Labels, MetricPoint
from diagnostics.models import CustomSeries

# What is told of one kind must never have the name of another kind, whichever team it is from.
NAMES = {InstrumentKind.COUNTER: "custom_{}_total", InstrumentKind.GAUGE: "custom_{}", InstrumentKind.HISTOGRAM: "custom_{}_histogram"}
ENDINGS = ("_total", "_histogram", "_bucket", "_sum", "_count")
# Of a team: names, and series, which are names with different labels.
MOST_NAMES, MOST_SERIES = 50, 200
AT_ONCE, MOST_LABELS = 100, 5
# A series that was quiet for so long gives its place to a new one where there is no other.
QUIET = timedelta(days=7)
RETRY_AFTER = 3600
DESCRIPTION = "Measured by a team itself"
RESERVED = frozenset({"team_id", "le"})


@dataclass(frozen=True, slots=True)
class OwnSample:
    """One value: what a counter grows by, what a gauge is now, or what a histogram has seen."""

    name: str
    kind: InstrumentKind
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


@atomic
def take(*, team: Team, samples: Sequence[OwnSample], now: datetime) -> None:
    """Adds what was measured; all of it or nothing. Raises Invalid, Conflict (a name that is of another kind), and TooMany."""
    for sample in samples:
        _check(sample)
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    rows = {(row.name, _key(row)): row for row in CustomSeries.objects.filter(team=team)}
    kinds = {row.name: row.kind for row in rows.values()}
    changed = {}
    for sample in samples:
        if kinds.setdefault(sample.name, sample.kind.value) != sample.kind:
            raise Conflict(f"{sample.name} is a {kinds[sample.name]}, and can't become a {sample.kind}.")
        key = sample.name, _labels(sample)
        row = rows.get(key)
        if row is None:
            labels = [list(label) for label in key[1]]
            row = rows[key] = CustomSeries(team=team, name=sample.name, kind=sample.kind.value, labels=labels, since=now)
        _add(row, sample, now)
        changed[key] = row
    _make_room(team, rows, kinds, now)
    unique, columns = ["team", "name", "labels"], ["count", "total", "buckets", "updated_at"]
    CustomSeries.objects.bulk_create(changed.values(), update_conflicts=True, unique_fields=unique, update_fields=columns)


def points(*, most: int) -> Iterator[MetricPoint]:
    """Those that were measured last, of all teams."""
    for row in CustomSeries.objects.order_by("-updated_at")[:most]:
        kind = InstrumentKind(row.kind)
        instrument = Instrument(NAMES[kind].format(row.name), kind, DESCRIPTION, bounds=_bounds(kind))
        yield MetricPoint(instrument, (("team_id", str(row.team_id)), *_key(row)), row.count, row.total, row.buckets, row.since)


def _check(sample: OwnSample) -> None:
    if not math.isfinite(sample.value) or abs(sample.value) > 1e15:
        raise Invalid(f"The value of {sample.name} is no number that can be added up.", field="value")
    if sample.name.endswith(ENDINGS):
        raise Invalid(f"A name does not end in {' or '.join(ENDINGS)}: that is added.", field="name")
    if sample.kind is InstrumentKind.COUNTER and sample.value < 0:
        raise Invalid(f"{sample.name} is a counter, which never falls.", field="value")
    if len(sample.labels) > MOST_LABELS or RESERVED & sample.labels.keys():
        raise Invalid(f"A metric has at most {MOST_LABELS} labels, none of them called {' or '.join(sorted(RESERVED))}.", field="labels")


def _labels(sample: OwnSample) -> Labels:
    """In their order; a secret in one is masked, since everybody who reaches `/metrics` reads it."""
    return tuple((name, _masked(value)[:60]) for name, value in sorted(sample.labels.items()))


def _masked(value: Any) -> str:
    return str(message_masking.masked([value], message_masking.spans_of([value]))[0])


def _key(row: CustomSeries) -> Labels:
    return tuple((name, value) for name, value in row.labels)


def _bounds(kind: InstrumentKind) -> tuple[float, ...]:
    return MILLISECONDS if kind is InstrumentKind.HISTOGRAM else ()


def _add(row: CustomSeries, sample: OwnSample, now: datetime) -> None:
    row.updated_at = now
    if sample.kind is InstrumentKind.GAUGE:
        row.count, row.total = row.count + 1, sample.value
        return
    instrument = Instrument(row.name, sample.kind, "", bounds=_bounds(sample.kind))
    point = MetricPoint(instrument, (), row.count, row.total, list(row.buckets))
    point.add(sample.value)
    row.count, row.total, row.buckets = point.count, point.total, point.buckets


def _make_room(team: Team, rows: Mapping[tuple[str, Labels], CustomSeries], kinds: Mapping[str, str], now: datetime) -> None:
    """Raises TooMany where there are more than a team may have, and none of them was quiet long enough to go."""
    over = len(rows) - MOST_SERIES
    names_over = len(kinds) - MOST_NAMES
    if over <= 0 and names_over <= 0:
        return
    quiet = [row for row in rows.values() if row.pk and row.updated_at < now - QUIET]
    kept = {row.name for row in rows.values() if row not in quiet}
    if len(quiet) < over or len(kept) > MOST_NAMES:
        limit, noun = (MOST_SERIES, "series of its own that a team may have") if len(quiet) < over else (MOST_NAMES, "names of own metrics")
        raise TooMany(limit=limit, noun=noun, retry_after=RETRY_AFTER)
    CustomSeries.objects.filter(team=team, pk__in=[row.pk for row in quiet]).delete()
