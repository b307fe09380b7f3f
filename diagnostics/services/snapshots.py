"""A team's handoff metrics (CONT-06's ContinuityMetricsSnapshot), from rows: the same in every process and after a restart."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Aggregate, Avg, Count, FloatField, Max, Q

from continuity.core.errors import Invalid
from continuity.models import Team
from continuity.services.accounts import gates
from diagnostics.models import Attempt, AttemptKind
from diagnostics.services import measurements
from handoffs.models import HandoffChain

NOTHING = {"total": 0, "succeeded": 0, "average": None, "p95": None, "anchors": None, "tasks": None}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """CONT-06's ContinuityMetricsSnapshot over a time; latencies in milliseconds, rates 0 to 1; 0 where nothing was measured."""

    total_handoffs: int
    successful_handoffs: int
    failed_handoffs: int
    average_handoff_latency_ms: float
    p95_handoff_latency_ms: float
    total_resumptions: int
    successful_resumptions: int
    average_resumption_latency_ms: float
    p95_resumption_latency_ms: float
    average_anchor_preservation_rate: float
    average_task_preservation_rate: float
    max_chain_length: int
    since: datetime
    snapshot_time: datetime


class P95(Aggregate):
    """The 95th percentile by nearest rank: a value that was measured."""

    function = "PERCENTILE_DISC"
    template = "%(function)s(0.95) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def of_team(*, team: Team, now: datetime, days: int) -> Snapshot:
    """The team's snapshot of the last `days`. Two queries, beside those that count what just happened. Raises GateClosed below tier
    Teams, Invalid on days out of range."""
    gates.require(team, "Agents.Continuity.Metrics")
    if not 1 <= days <= settings.CONTINUITY_METRICS_DAYS:
        raise Invalid(f"days must lie between 1 and {settings.CONTINUITY_METRICS_DAYS}.", field="days")
    measurements.catch_up()
    since = now - timedelta(days=days)
    figures = _figures(team, since)
    handoffs, resumptions = (figures.get(kind, NOTHING) for kind in (AttemptKind.HANDOFF, AttemptKind.RESUMPTION))
    longest = HandoffChain.objects.visible_to(team).filter(last_activity_at__gte=since).aggregate(longest=Max("total_handoffs"))
    return Snapshot(
        total_handoffs=handoffs["total"],
        successful_handoffs=handoffs["succeeded"],
        failed_handoffs=handoffs["total"] - handoffs["succeeded"],
        average_handoff_latency_ms=handoffs["average"] or 0.0,
        p95_handoff_latency_ms=handoffs["p95"] or 0.0,
        total_resumptions=resumptions["total"],
        successful_resumptions=resumptions["succeeded"],
        average_resumption_latency_ms=resumptions["average"] or 0.0,
        p95_resumption_latency_ms=resumptions["p95"] or 0.0,
        average_anchor_preservation_rate=handoffs["anchors"] or 0.0,
        average_task_preservation_rate=handoffs["tasks"] or 0.0,
        max_chain_length=longest["longest"] or 0,
        since=since,
        snapshot_time=now,
    )


def _figures(team: Team, since: datetime) -> dict[str, dict[str, Any]]:
    """By kind of attempt. One query."""
    rows = Attempt.objects.filter(team=team, kind__in=AttemptKind.values, at__gte=since).order_by().values("kind")
    measured = rows.annotate(
        total=Count("id"),
        succeeded=Count("id", filter=Q(succeeded=True)),
        average=Avg("duration_ms"),
        p95=P95("duration_ms"),
        anchors=Avg("anchor_preservation"),
        tasks=Avg("task_preservation"),
    )
    return {row["kind"]: {**row} for row in measured}
