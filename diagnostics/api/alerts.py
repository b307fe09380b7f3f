"""Alerts about the team's conversations."""

from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from diagnostics.models import Alert

router = Router(tags=["alerts"])

LATEST: Order = {"raised_at": moment, "id": UUID}


class AlertQuery(PageQuery):
    open: bool = Field(False, description="Only those that are not over.")


class AlertOut(Schema):
    """`retries` failed in a row since `since`; `over_at` is when it was over, as with the next save that succeeded."""

    id: UUID
    rule: str
    severity: str
    conversation_id: UUID | None = Field(description="The conversation that it is about; null where it is about the team.")
    message: str
    retries: int
    since: AwareDatetime
    raised_at: AwareDatetime
    over_at: AwareDatetime | None


@router.get("/alerts", auth=READ, response=answers(Page[AlertOut]), summary="List alerts")
def list_alerts(request: ApiRequest, query: Query[AlertQuery]) -> Status[Cut]:
    """Alerts about the team and its conversations, the latest first."""
    rows = Alert.objects.visible_to(request.auth.team)
    return Status(200, cut(rows.open() if query.open else rows, query, LATEST))
