"""Handing events to subscribers, their acknowledgements, and what they never took."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import ADMIN, READ, WRITE, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.auth import Principal
from continuity.events import delays
from continuity.live import subscribing
from continuity.models import ApiKey, DeadLetter, LetterStatus
from continuity.services.subscriptions import acknowledging, letters, subscriptions
from continuity.services.subscriptions.acknowledging import AckOutcome, Counted, ReportedOutcome

router = Router(tags=["subscriptions"])
LATEST: Order = {"created_at": moment, "id": UUID}
LEASE = delays.LEASE.total_seconds()
MOST = delays.LONGEST_LEASE.total_seconds()
STREAM: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The events: one JSON answer, or with `Accept: text/event-stream` server-sent events.",
            "content": {"application/json": {"schema": {"type": "object"}}, "text/event-stream": {"schema": {"type": "string"}}},
        }
    },
}


class TakeQuery(Schema):
    wait: float = Field(0, ge=0, le=60, description="Seconds to wait for an event, where there is none.")
    limit: int = Field(100, ge=1, le=1000, description="Events at once.")
    epoch: int | None = Field(None, ge=0, le=2**31 - 1, description="Of this instance, as `begin` gave it.")
    lease: float = Field(LEASE, ge=1, le=MOST, description="Seconds after which an event comes again that was not acknowledged.")


class AckIn(Schema):
    """The outcome of one event. `working` begins its lease anew."""

    event_id: UUID
    outcome: AckOutcome = AckOutcome.HANDLED
    error: str = Field("", max_length=80, pattern=r"^[A-Za-z0-9_.]*$", description="The kind of a failure, such as ValueError.")
    latency_ms: float | None = Field(None, ge=0, le=1e7, description="From publishing to the handler: `after_ms` and what followed.")


class AcksIn(Schema):
    acks: list[AckIn] = Field(min_length=1, max_length=acknowledging.AT_ONCE)
    epoch: int | None = Field(None, ge=0, le=2**31 - 1)
    lease: float = Field(LEASE, ge=1, le=MOST)


class AcksOut(Schema):
    """`again` had been acknowledged before; `unknown` were never handed over, or are gone."""

    handled: int
    failed: int
    working: int
    again: int
    unknown: int


class LetterQuery(PageQuery):
    subscription_id: UUID | None = None
    dead: bool = Field(False, description="Only those that wait for a person.")


class LetterOut(Schema):
    id: UUID
    event_id: UUID
    subscription_id: UUID | None
    subscriber: str
    topic: str
    position: int | None
    status: LetterStatus
    attempts: int
    reason: str
    failed_at: AwareDatetime

    @staticmethod
    def resolve_topic(row: DeadLetter) -> str:
        return row.event.subject

    @staticmethod
    def resolve_position(row: DeadLetter) -> int | None:
        return row.event.position


@router.get(
    "/subscriptions/{uuid:subscription_id}/events",
    auth=WRITE,
    response=answers(None, 200, 409),
    openapi_extra=STREAM,
    summary="Take a subscription's events",
)
def take_events(request: ApiRequest, subscription_id: UUID, query: Query[TakeQuery]) -> HttpResponseBase:
    """The next events, in the order of their positions. Each is handed over at least once: acknowledge it, or it comes again."""
    team, lease = request.auth.team, timedelta(seconds=query.lease)
    row = subscriptions.get(team=team, subscription_id=subscription_id)
    subscriptions.check_asks(row)
    subscriptions.check_epoch(row, query.epoch)
    if "text/event-stream" in request.headers.get("Accept", ""):
        return subscribing.follow(request, team=team, subscription_id=row.id, limit=query.limit, epoch=query.epoch, lease=lease)
    return subscribing.poll(request, team=team, subscription_id=row.id, wait=query.wait, limit=query.limit, epoch=query.epoch, lease=lease)


@router.post("/subscriptions/{uuid:subscription_id}/acks", auth=WRITE, response=answers(AcksOut, 200, 409), summary="Acknowledge events")
def acknowledge_events(request: ApiRequest, subscription_id: UUID, given: AcksIn) -> Status[Counted]:
    """Takes outcomes of many events. A failed one comes again after 1, 2, 4, 8 seconds; after five attempts it is a dead letter."""
    return acknowledge_given(request.auth, subscription_id, given)


def acknowledge_given(who: Principal, subscription_id: UUID, given: AcksIn, *, presumed: ApiKey | None = None) -> Status[Counted]:
    """As the endpoint; `presumed` as for the service."""
    told = [ReportedOutcome(each.event_id, each.outcome, each.error, each.latency_ms) for each in given.acks]
    how: dict[str, Any] = {"epoch": given.epoch, "lease": timedelta(seconds=given.lease), "presumed": presumed}
    counted = acknowledging.acknowledge(team=who.team, subscription_id=subscription_id, told=told, now=timezone.now(), **how)
    return Status(200, counted)


@router.get("/dead-letters", auth=READ, response=answers(Page[LetterOut]), summary="List dead letters")
def list_dead_letters(request: ApiRequest, query: Query[LetterQuery]) -> Status[Cut]:
    """Events of the team that subscribers could not take, the latest first."""
    rows = letters.of_team(request.auth.team, subscription_id=query.subscription_id)
    return Status(200, cut(rows.dead() if query.dead else rows, query, LATEST))


@router.post("/dead-letters/{uuid:letter_id}/retry", auth=ADMIN, response=answers(None, 204), summary="Try a dead letter again")
def retry_dead_letter(request: ApiRequest, letter_id: UUID) -> Status[None]:
    """Its subscriber gets the event once more, with all its attempts."""
    letters.retry(team=request.auth.team, letter_id=letter_id)
    return Status(204, None)


@router.delete("/dead-letters/{uuid:letter_id}", auth=ADMIN, response=answers(None, 204), summary="Discard a dead letter")
def discard_dead_letter(request: ApiRequest, letter_id: UUID) -> Status[None]:
    """Its subscriber never gets the event."""
    letters.discard(team=request.auth.team, letter_id=letter_id)
    return Status(204, None)
