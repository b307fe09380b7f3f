"""Handoff metrics of a team."""

from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from diagnostics.services import snapshots
from diagnostics.services.snapshots import Snapshot

router = Router(tags=["metrics"])


class SnapshotQuery(Schema):
    days: int = Field(30, description="How far back: 1 to 90 days, where the operator set no other limit.")


@router.get("/metrics/snapshot", auth=READ, response=answers(Snapshot), summary="Handoff metrics")
def get_snapshot(request: ApiRequest, query: Query[SnapshotQuery]) -> Status[Snapshot]:
    """The team's handoffs and resumptions of the last days in figures. Needs the tier Teams."""
    taken = snapshots.of_team(team=request.auth.team, now=timezone.now(), days=query.days)
    return Status(200, taken)
