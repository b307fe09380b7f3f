"""How handing off goes, in figures."""

from dataclasses import asdict

from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from diagnostics.services import snapshots

router = Router(tags=["metrics"])


class SnapshotQuery(Schema):
    days: int = Field(30, description="How far back: 1 to 90 days, where the operator set no other limit.")


class SnapshotOut(Schema):
    """CONT-06's ContinuityMetricsSnapshot. Latencies in milliseconds, rates 0 to 1; null where nothing was measured."""

    total_handoffs: int
    successful_handoffs: int
    failed_handoffs: int
    average_handoff_latency_ms: float | None
    p95_handoff_latency_ms: float | None
    total_resumptions: int
    successful_resumptions: int
    average_resumption_latency_ms: float | None
    p95_resumption_latency_ms: float | None
    average_anchor_preservation_rate: float | None
    average_task_preservation_rate: float | None
    max_chain_length: int
    since: AwareDatetime
    snapshot_time: AwareDatetime


@router.get("/metrics/snapshot", auth=READ, response=answers(SnapshotOut), summary="Read how handing off goes")
def get_snapshot(request: ApiRequest, query: Query[SnapshotQuery]) -> Status[SnapshotOut]:
    """The team's handoffs and resumptions of the last days in figures. Needs the tier Teams."""
    taken = snapshots.of_team(team=request.auth.team, now=timezone.now(), days=query.days)
    return Status(200, SnapshotOut(**asdict(taken)))
