"""Alerts about the team's conversations."""

from uuid import UUID

from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from diagnostics.models import Alert
from diagnostics.services import alert_raising

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
    subject_kind: str
    subject_id: UUID
    retries: int
    since: AwareDatetime
    raised_at: AwareDatetime
    over_at: AwareDatetime | None


@router.get("/alerts", auth=READ, response=answers(Page[AlertOut]), summary="List alerts")
def list_alerts(request: ApiRequest, query: Query[AlertQuery]) -> Status[Cut]:
    """Alerts about the team and its conversations, the latest first."""
    rows = Alert.objects.visible_to(request.auth.team)
    return Status(200, cut(rows.open() if query.open else rows, query, LATEST))


@router.post("/alerts/test", auth=ADMIN, response=answers(None, 204), summary="Test the alerts")
def send_test_alert(request: ApiRequest) -> Status[None]:
    """Sends one alert through every channel that is set, and ends it."""
    alert_raising.test(team=request.auth.team, by=request.auth.name, now=timezone.now())
    return Status(204, None)
