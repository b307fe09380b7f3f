"""Events as a list and as a stream."""

from typing import Any
from uuid import UUID, uuid4

from django.http import HttpResponseBase
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.bus.publishing import PublicationsIn, PublishedListOut
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.auth import Principal
from continuity.live import stream
from continuity.models import ApiKey, Event
from continuity.services.subscriptions import publishing
from continuity.services.subscriptions.publishing import Publication, Published

router = Router(tags=["events"])

OLDEST = {"position": int}
STREAM: dict[str, Any] = {
    "parameters": [
        {
            "in": "header",
            "name": "Last-Event-ID",
            "required": False,
            "schema": {"type": "string"},
            "description": "The position after which to continue; without it the stream begins now.",
        }
    ],
    "responses": {200: {"description": "Server-sent events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
}


class EventQuery(PageQuery):
    after: int = Field(0, ge=0, le=2**62, description="Begin after this position.")
    name: str = Field("", max_length=80, description="Only events of this name, such as `messages.appended`.")
    subject_id: UUID | None = Field(None, description="Only what happened to this conversation, handoff, chain or job.")


class EventOut(Schema):
    """One thing that happened. `payload` holds ids and numbers, never words of a conversation."""

    id: UUID
    position: int
    name: str
    subject_id: UUID | None
    payload: dict[str, Any]
    critical: bool
    created_at: AwareDatetime


@router.get("/events", auth=READ, response=answers(Page[EventOut]), summary="List events")
def list_events(request: ApiRequest, query: Query[EventQuery]) -> Status[Cut]:
    """The team's events, the oldest first, as long as they are kept (24 hours, where the operator set nothing else)."""
    rows = Event.objects.filter(team=request.auth.team, position__gt=query.after)
    rows = rows.filter(name=query.name) if query.name else rows
    rows = rows.filter(subject_id=query.subject_id) if query.subject_id else rows
    return Status(200, cut(rows, query, OLDEST, ascending=True))


@router.get("/events/stream", auth=READ, response=answers(None, 200, 429), openapi_extra=STREAM, summary="Follow events")
def follow_events(request: ApiRequest) -> HttpResponseBase:
    """The team's events as they happen: `id` is the position, `event` the name, `data` the ids that it is about.

    `ready` gives a new reader its place; `reset` says that events after the place it named are gone, so that it must read
    again what it shows. The stream ends after five minutes; continue with `Last-Event-ID`.
    """
    return stream.respond(request, team=request.auth.team, named=True)


@router.post("/events", auth=WRITE, response=answers(PublishedListOut, 201, 409, 413), summary="Publish events")
def publish_events(request: ApiRequest, given: PublicationsIn) -> Status[dict[str, list[Published]]]:
    """Stores all of the events or none, in their order; subscribers get them at once."""
    return publish_given(request.auth, given)


def publish_given(who: Principal, given: PublicationsIn, *, presumed: ApiKey | None = None) -> Status[dict[str, list[Published]]]:
    """As the endpoint; `presumed` as for the service."""
    now = timezone.now()
    publications = [Publication(each.topic, each.payload, each.critical, each.conversation_id, each.id or uuid4()) for each in given.events]
    publisher = f"agent {given.agent}" if given.agent else who.name
    told = publishing.publish(team=who.team, publications=publications, publisher=publisher, now=now, presumed=presumed)
    return Status(201, {"items": list(told)})
