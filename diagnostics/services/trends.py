"""Handoffs over time, for charts: aggregated in the database, in a bounded number of rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Aggregate, Avg, Count, DateTimeField, F, FloatField, Func, IntegerField, Min, Q, Sum, Value

from continuity.models import Team
from diagnostics.models import Attempt, AttemptKind
from handoffs.models import Handoff, HandoffChain, HandoffStatus

# Days that are looked at, and how long one point of a picture is then: at most 31 points.
STEPS = {1: timedelta(hours=1), 7: timedelta(hours=6), 14: timedelta(hours=12), 30: timedelta(days=1), 90: timedelta(days=3)}
SCORES = (("below 70%", 0.0), ("70%", 0.7), ("85%", 0.85), ("90%", 0.9), ("95%", 0.95), ("99%", 0.99), ("100%", 0.99999))
LENGTHS = (("1", 1), ("2", 2), ("3–5", 3), ("6–9", 6), ("10–19", 10), ("20–49", 20), ("50 +", 50))


class Percentile(Aggregate):
    """A percentile by nearest rank: a value that was measured."""

    function = "PERCENTILE_DISC"
    output_field = FloatField()

    def __init__(self, share: float, expression: str) -> None:
        super().__init__(expression)
        self.template = f"%(function)s({share}) WITHIN GROUP (ORDER BY %(expressions)s)"


@dataclass(frozen=True, slots=True)
class Trend:
    """The measurements from each of `times` on, for one step: milliseconds, rates 0..1, tokens; None where nothing was.

    `fidelity` is how many handoffs of all the time reached each score, the lowest first.
    """

    times: Sequence[datetime]
    step: timedelta
    handoffs: Sequence[Mapping[str, Any] | None]
    resumptions: Sequence[Mapping[str, Any] | None]
    tokens: Sequence[Mapping[str, Any] | None]
    fidelity: Sequence[tuple[str, int]]


def trend_of(*, team: Team, now: datetime, days: int) -> Trend:
    """The team's last `days` (one of STEPS) in steps. Two queries."""
    step = STEPS[days]
    start = _floor(now, step) - (timedelta(days=days) - step)
    times = [start + step * at for at in range(int(timedelta(days=days) / step))]
    made = list(_made(team, start, step))
    attempts = list(_attempts(team, start, step))
    return Trend(
        times,
        step,
        _placed((row for row in attempts if row["kind"] == AttemptKind.HANDOFF), times),
        _placed((row for row in attempts if row["kind"] == AttemptKind.RESUMPTION), times),
        _placed(_tokens(made), times),
        _named(((row["group"], row["number"]) for row in made), SCORES),
    )


def fitting(*, team: Team, now: datetime, offered: Sequence[int], usual: int) -> int:
    """Of the days offered those that hold what there is of the last `usual` ones, or else of the last; at most four queries."""
    for longest in (usual, offered[-1]):
        since = now - timedelta(days=longest)
        made = Handoff.objects.visible_to(team).filter(created_at__gte=since).aggregate(first=Min("created_at"))["first"]
        tried = Attempt.objects.filter(team=team, kind__in=AttemptKind.values, at__gte=since).aggregate(first=Min("at"))["first"]
        if made or tried:
            age = now - min(moment for moment in (made, tried) if moment)
            return next((days for days in offered if age <= timedelta(days=days) - STEPS[days]), longest)
    return usual


def _made(team: Team, start: datetime, step: timedelta) -> Any:
    """Handoffs by time and score. Only columns that the index of these figures holds: the rows themselves are wide."""
    rows = Handoff.objects.visible_to(team).filter(created_at__gte=start)
    placed = rows.annotate(time=_binned("created_at", step, start), group=_group("fidelity_score", SCORES)).order_by()
    # As on the first page: a package spares tokens where a session went on from it.
    resumed = Q(status=HandoffStatus.RESUMED, context_tokens__gt=F("token_count"))
    sums = {"replaced": Sum("context_tokens", filter=resumed), "stated": Sum("token_count", filter=resumed)}
    return placed.values("time", "group").annotate(**sums, number=Count("*"))


def _tokens(made: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    sums: dict[datetime, dict[str, Any]] = {}
    for row in made:
        known = sums.setdefault(row["time"], {"time": row["time"], "replaced": 0, "stated": 0})
        for name in ("replaced", "stated"):
            known[name] += row[name] or 0
    return sums.values()


def _attempts(team: Team, start: datetime, step: timedelta) -> Any:
    rows = Attempt.objects.filter(team=team, kind__in=AttemptKind.values, at__gte=start).annotate(time=_binned("at", step, start))
    return (
        rows.order_by()
        .values("kind", "time")
        .annotate(
            total=Count("id"),
            succeeded=Count("id", filter=Q(succeeded=True)),
            p50=Percentile(0.5, "duration_ms"),
            p95=Percentile(0.95, "duration_ms"),
            p99=Percentile(0.99, "duration_ms"),
            anchors=Avg("anchor_preservation"),
            tasks=Avg("task_preservation"),
        )
    )


def _binned(field: str, step: timedelta, start: datetime) -> Func:
    return Func(Value(step), F(field), Value(start), function="date_bin", output_field=DateTimeField())


def _floor(moment: datetime, step: timedelta) -> datetime:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + ((moment - midnight) // step) * step


def _placed(rows: Any, times: Sequence[datetime]) -> list[Mapping[str, Any] | None]:
    known = {row["time"]: row for row in rows}
    return [known.get(time) for time in times]


def lengths_of(*, team: Team, since: datetime) -> Sequence[tuple[str, int]]:
    """How many chains have each length, of those that were extended since. One query."""
    rows = HandoffChain.objects.visible_to(team).filter(last_activity_at__gte=since, total_handoffs__gt=0)
    counts = rows.annotate(group=_group("total_handoffs", LENGTHS)).order_by().values_list("group").annotate(number=Count("*"))
    return _named(counts, LENGTHS)


def _group(field: str, bounds: Sequence[tuple[str, float]]) -> Func:
    """The number of bounds that a value reaches."""
    starts = ", ".join(f"{start}" for _label, start in bounds)
    return Func(F(field), template=f"width_bucket(%(expressions)s::float8, ARRAY[{starts}]::float8[])", output_field=IntegerField())


def _named(counts: Iterable[tuple[int, int]], bounds: Sequence[tuple[str, float]]) -> Sequence[tuple[str, int]]:
    """What is below the first bound counts as reaching it."""
    totals = Counter[int]()
    for group, number in counts:
        totals[max(1, group)] += number
    return [(label, totals[place]) for place, (label, _start) in enumerate(bounds, 1)]
