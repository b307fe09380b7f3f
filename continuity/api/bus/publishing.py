"""Published events (their endpoint stands beside that which lists events), and the topics that teams declare."""

from typing import Any
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.models import Topic
from continuity.services.subscriptions import publishing, topics
from continuity.services.subscriptions.publishing import AT_ONCE

router = Router(tags=["events"])
BY_NAME: Order = {"name": str}


class PublicationIn(Schema):
    """An event to publish. With an `id` of the publisher's own (UUID, version 4) it may be sent again: it is stored once."""

    topic: str = Field(max_length=1000, examples=["task:completed"])
    payload: Any = Field(None, description="Any JSON, at most 64 KB. Secrets in it are masked before it is stored.")
    critical: bool = Field(False, description="Subscribers that were away get it also where they replay critical events only.")
    conversation_id: UUID | None = Field(None, description="The conversation that it was said in; erasing that erases the payload.")
    id: UUID | None = None


class PublicationsIn(Schema):
    events: list[PublicationIn] = Field(min_length=1, max_length=AT_ONCE)
    agent: str = Field("", max_length=80, description="The agent that publishes, where the key serves several.")


class PublishedOut(Schema):
    """`new` is false where the event had been stored before."""

    id: UUID
    topic: str
    critical: bool
    new: bool


class PublishedListOut(Schema):
    items: list[PublishedOut]


class TopicIn(Schema):
    """A topic's declaration: the schema of its payloads, and whether its events are critical."""

    name: str = Field(max_length=1000, examples=["task:completed"])
    payload_schema: dict[str, Any] | None = Field(None, description="A JSON Schema for payloads (docs/events.md says which words).")
    critical: bool = Field(False, description="Its events are critical, whoever publishes them.")


class TopicOut(Schema):
    name: str
    payload_schema: dict[str, Any] | None = Field(alias="schema")
    critical: bool
    updated_at: AwareDatetime


@router.delete("/events/{uuid:event_id}/payload", auth=ADMIN, response=answers(None, 204), summary="Erase a payload")
def erase_payload(request: ApiRequest, event_id: UUID) -> Status[None]:
    """Removes what was published with an event; the event stays, and is handed out with `null`."""
    publishing.erase(team=request.auth.team, event_id=event_id)
    return Status(204, None)


@router.get("/topics", auth=READ, response=answers(Page[TopicOut]), summary="List topics")
def list_topics(request: ApiRequest, query: Query[PageQuery]) -> Status[Cut]:
    """The topics that the team declared, by name."""
    return Status(200, cut(Topic.objects.filter(team=request.auth.team), query, BY_NAME, ascending=True))


@router.put("/topics", auth=ADMIN, response=answers(TopicOut), summary="Declare a topic")
def declare_topic(request: ApiRequest, given: TopicIn) -> Status[Topic]:
    """Says how payloads of a topic look, and whether its events are critical. A topic needs no declaration to be published to."""
    return Status(200, topics.declare(team=request.auth.team, name=given.name, schema=given.payload_schema, critical=given.critical))


@router.delete("/topics/{name}", auth=ADMIN, response=answers(None, 204), summary="Take a topic's declaration back")
def forget_topic(request: ApiRequest, name: str) -> Status[None]:
    """From then on payloads are not checked; what was published stays."""
    topics.forget(team=request.auth.team, name=name)
    return Status(204, None)
