"""Publishing by agents, people and systems (FR-011): checked, sanitised and masked, stored at once, delivered after the commit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction
from psycopg.errors import UniqueViolation
from pydantic_core import to_json

from continuity.core import transactions
from continuity.core.correlation import current_correlation_id
from continuity.core.errors import Conflict, Invalid, KeyRefused, NotFound, TooLarge
from continuity.core.tracing import current_traceparent, span
from continuity.core.transactions import atomic
from continuity.events import schemas
from continuity.events.policies import is_critical
from continuity.events.topics import CONTROL_FRAMES, BadTopic, checked_topic
from continuity.models import ApiKey, Conversation, Event, PublishedPayload, Team, Topic
from continuity.secrets import message_masking
from continuity.services.accounts import known_keys
from continuity.services.events import bus, events
from continuity.services.events.relay import Numbered
from continuity.services.subscriptions import declarations
from continuity.transcripts.base.sanitise import clean_json

NAME = "event.published"
LARGEST = 64 * 1024
AT_ONCE = 100
# First words of our own events: who publishes there would pretend to be us. Not of those that agents have a use for themselves, such as
# `task` and `note`: who published an event stands in it.
OURS = frozenset({"agent", "alert", "anchor", "api_key", "audit", "chain", "cleanup", "client_code", "conversation", "delivery", "erasure",
                  "event", "group", "handoff", "invitation", "knowledge", "member", "messages", "password", "policy", "rating",
                  "resumption", "secret", "sign_in", "state", "subscription", "team", "work"})  # fmt: skip

# One statement, and so one round trip and a transaction of its own, which stores all or none (migrations 0056, 0057). Where an
# id was stored while it waited, it sees that; an event of ours may still take one in the same moment, and it fails as a whole.
# Other processes are told of the last one, and so of those before it.
_INSERT = "SELECT * FROM continuity_publish_events(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class Publication:
    """An event to be published. `id` may be chosen by the publisher: sent again with it, the event is stored once."""

    topic: str
    payload: Any = None
    critical: bool = False
    conversation_id: UUID | None = None
    id: UUID = field(default_factory=uuid4)


@dataclass(frozen=True, slots=True)
class Published:
    """`new` is False where the event had been stored before."""

    id: UUID
    topic: str
    critical: bool
    new: bool


@span("continuity.event.publish")
def publish(
    *, team: Team, publications: Sequence[Publication], publisher: str, now: datetime, presumed: ApiKey | None = None
) -> Sequence[Published]:
    """Stores all or none of them, in their order, and delivers them. `now` is when `publish` was called: latency counts from there.

    Raises Invalid (topic, schema), TooLarge, NotFound (conversation), Conflict (an id that names another event). `presumed` is a key of
    which it is only asked with them whether it still holds: KeyRefused where nothing was stored for that, or for another reason.
    """
    handled = bus.has_handlers(NAME)
    rows, positions = _kept(team, publications, publisher, now, delivered=not handled, presumed=presumed)
    if positions:
        id, position = max(positions.items(), key=lambda each: each[1])
        last = Numbered(id, position, NAME, team.id, next(row["conversation"] for row in rows if row["id"] == id))
        fresh = [_stored(row, team, now, positions[row["id"]]) for row in rows if row["id"] in positions] if handled else []
        transaction.on_commit(lambda: bus.deliver_numbered(fresh, last=last), robust=True)
    return [Published(row["id"], row["topic"], row["critical"], row["id"] in positions) for row in rows]


def _kept(
    team: Team, publications: Sequence[Publication], publisher: str, now: datetime, *, delivered: bool, presumed: ApiKey | None
) -> tuple[Sequence[Mapping[str, Any]], Mapping[UUID, int]]:
    """The rows of all, and the positions of those that were not stored before."""
    names = _checked(team, publications)
    for anew in (False, True, True, True):
        declared = declarations.of(team, names, anew=anew)
        try:
            rows = [_row(each, declared) for each in publications]
        except Invalid:
            if anew:
                raise
            continue  # By a schema that may be another by now.
        how: dict[str, Any] = {"declared": declared.values(), "delivered": delivered, "presumed": presumed}
        found = _store(team=team, rows=rows, publisher=publisher, now=now, **how)
        if len(found) == len(rows):
            return rows, {id: position for id, position in found.items() if position is not None}
        if presumed:
            raise KeyRefused
        if condition := transactions.condition():
            condition.check()
        _check_conversations(team, publications)
    raise NotFound(noun="team")


def _stored(row: Mapping[str, Any], team: Team, now: datetime, position: int) -> Event:
    """The stored event, for handlers."""
    topic, about, critical = row["topic"], row["conversation"], row["critical"]
    event = Event(id=row["id"], team=team, name=NAME, topic=topic, subject_id=about, critical=critical, created_at=now, position=position)
    event.correlation_id, event.traceparent = current_correlation_id(), current_traceparent()
    return event


def _checked(team: Team, publications: Sequence[Publication]) -> set[str]:
    """Their topics, where all of them may be published as far as no declaration says otherwise."""
    if not 1 <= len(publications) <= AT_ONCE:
        raise Invalid(f"1 to {AT_ONCE} events are published at once, not {len(publications):,}.", field="events")
    if len({each.id for each in publications}) < len(publications):
        raise Invalid("Two of the events have the same id.", field="id")
    _check_conversations(team, publications)
    for each in publications:
        _check_topic(each.topic)
    return {each.topic for each in publications}


def _check_conversations(team: Team, publications: Sequence[Publication]) -> None:
    about = {each.conversation_id for each in publications if each.conversation_id}
    if about and Conversation.objects.filter(team=team, id__in=about).count() < len(about):
        raise NotFound(noun="conversation")


def _check_topic(topic: str) -> None:
    try:
        checked_topic(topic)
    except BadTopic as error:
        raise Invalid(f"{error}.", field="topic") from error
    first = topic.partition(":")[0]
    if first in OURS:
        raise Invalid(f"Topics that begin with {first}: are told by Continuity itself: choose another word.", field="topic")
    if topic in CONTROL_FRAMES:
        raise Invalid(f"'{topic}' alone is what streams call a frame of their own: add a word, such as {topic}:found.", field="topic")


def _row(given: Publication, declared: Mapping[str, Topic]) -> dict[str, Any]:
    payload = clean_json(given.payload)
    size = len(to_json(payload))
    if size > LARGEST:
        raise TooLarge(noun="The payload", size=f"{size:,} bytes", limit=f"{LARGEST:,} bytes")
    topic = declared.get(given.topic)
    if topic is not None and topic.schema is not None:
        try:
            schemas.check(payload, topic.schema)
        except schemas.Unfit as error:
            raise Invalid(f"{error}, as the topic's schema says.", field="payload") from error
    masked = message_masking.masked([payload], message_masking.spans_of([payload]))[0]
    critical = is_critical(given.topic, marked=given.critical or (topic is not None and topic.critical))
    about = given.conversation_id
    return {"id": given.id, "topic": given.topic, "conversation": about, "bytes": size, "critical": critical, "body": masked}


def _store(
    *,
    team: Team,
    rows: Sequence[Mapping[str, Any]],
    declared: Iterable[Topic],
    publisher: str,
    now: datetime,
    delivered: bool,
    presumed: ApiKey | None,
) -> dict[UUID, int | None]:
    """The positions of those that are stored now, None for those that were before; fewer than `rows` where the topics are declared
    otherwise, the team or a conversation is gone, or the key that was `presumed`, or what must hold where the request writes, does not
    hold."""
    as_declared = [topic.updated_at for topic in sorted(declared, key=lambda topic: topic.id)]
    told: list[Any] = [to_json(rows).decode(), as_declared, team.id, list({row["topic"] for row in rows}), NAME, now]
    told += [current_correlation_id(), current_traceparent(), publisher[:120], delivered]
    condition, asked = known_keys.still(presumed, now) if presumed else ("SELECT", [])
    also, with_it = transactions.still_holds()
    statement, told = f"{_INSERT} WHERE EXISTS ({condition}) AND EXISTS ({also})", [*told, *asked, *with_it]
    try:
        found = _insert(statement, told)
    except IntegrityError as error:
        if not isinstance(error.__cause__, UniqueViolation):
            raise
        # One of the ids was stored while the statement waited for its turn: now it is seen.
        found = _insert(statement, told)
    for row in rows:
        if row["id"] in found and not found[row["id"]][1]:
            raise Conflict("Another event has this id: choose a new one (UUID, version 4).", field="id", id=str(row["id"]))
    return {id: position for id, (position, _) in found.items()}


def _insert(statement: str, told: Sequence[Any]) -> dict[UUID, tuple[int | None, bool]]:
    """The position of each that is stored now; None for what was stored before, and whether that is the same event."""
    with connection.cursor() as cursor:
        cursor.execute(statement, told)
        return {id: (position, same) for id, position, same in cursor.fetchall()}


@atomic
def erase(*, team: Team, event_id: UUID) -> None:
    """Removes what was published with an event. Raises NotFound where the team has no such payload."""
    if not PublishedPayload.objects.filter(team=team, event_id=event_id).delete()[0]:
        raise NotFound(noun="payload")
    events.publish(name="event.payload_erased", team=team, subject_id=event_id)
