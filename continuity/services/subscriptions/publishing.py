"""Publishing by agents, people and systems (FR-011): checked, sanitised and masked, stored at once, delivered after the commit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction
from psycopg.errors import UniqueViolation
from pydantic_core import to_json

from continuity.core.correlation import current_correlation_id
from continuity.core.errors import Conflict, Invalid, NotFound, TooLarge
from continuity.core.tracing import current_traceparent, span
from continuity.core.transactions import atomic
from continuity.events import schemas
from continuity.events.policies import is_critical
from continuity.events.topics import BadTopic, checked_topic
from continuity.models import Conversation, Event, PublishedPayload, Team, Topic
from continuity.secrets import message_masking
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

# One statement, and so one round trip: it is its own transaction, which stores all or none: none where an id is another event's. Where an
# id was stored while it waited, it fails as a whole. The team and the conversations are locked before the numbers are drawn, or whoever
# numbers events would wait for who holds them (docs/adr/0013-lock-order.md). Numbers are drawn under the lock of
# `continuity_number_events`, in the order given, and become visible when the transaction ends; no event has one twice.
# Other processes are told of the last one, and so of those before it. Foreign keys go by index, as after `bus_sql.lock`. None is stored
# where the topics' declarations are not those that the events were checked against.
_INSERT = """
WITH how AS MATERIALIZED (
    SELECT set_config('enable_seqscan', 'off', true) AS seqscan
), given AS MATERIALIZED (
    SELECT given.* FROM how, ROWS FROM (
        jsonb_to_recordset(%s::jsonb) AS (id uuid, topic text, conversation uuid, bytes int, critical boolean, body jsonb)
    ) WITH ORDINALITY AS given (id, topic, conversation, bytes, critical, body, place) WHERE how.seqscan = 'off' AND %s::timestamptz[] = (
        SELECT coalesce(array_agg(updated_at ORDER BY id), '{}') FROM continuity_topic WHERE team_id = %s AND name = ANY(%s)
    )
), known AS MATERIALIZED (
    SELECT known.id, coalesce(known.team_id = %s AND known.name = %s AND known.topic = given.topic, false) AS same
    FROM continuity_event known JOIN given USING (id)
), owner AS MATERIALIZED (
    SELECT id FROM continuity_team WHERE id = %s FOR KEY SHARE
), about AS MATERIALIZED (
    SELECT id FROM continuity_conversation WHERE team_id = %s AND id IN (SELECT conversation FROM given) ORDER BY id FOR KEY SHARE
), held AS MATERIALIZED (
    SELECT pg_advisory_xact_lock(1668247156) FROM owner WHERE (SELECT count(*) FROM about) >= 0
), numbered AS MATERIALIZED (
    SELECT fresh.*, nextval('continuity_event_position') AS position FROM held, (
        SELECT * FROM given WHERE id NOT IN (SELECT id FROM known) AND NOT EXISTS (SELECT FROM known WHERE NOT same) ORDER BY place
    ) AS fresh
), stored AS (
    INSERT INTO continuity_event
        (id, created_at, team_id, name, subject_id, payload, critical, correlation_id, traceparent, attempts, topic, publisher, position,
        dispatched_at, relayed_at)
    SELECT id, %s, %s, %s, conversation, jsonb_build_object('bytes', bytes), critical, %s, %s, 0, topic, %s, position,
        CASE WHEN %s THEN now() END, CASE WHEN place < (SELECT max(place) FROM numbered) THEN now() END
    FROM numbered ORDER BY place
    RETURNING id, position
), said AS (
    INSERT INTO continuity_publishedpayload (event_id, team_id, conversation_id, body)
    SELECT id, %s, conversation, coalesce(body, 'null') FROM numbered JOIN stored USING (id)
)
SELECT id, position, true FROM stored UNION ALL SELECT id, NULL, same FROM known
"""


@dataclass(frozen=True, slots=True)
class Publication:
    """What somebody publishes. `id` may be chosen by the publisher: sent again with it, the event is stored once."""

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
def publish(*, team: Team, publications: Sequence[Publication], publisher: str, now: datetime) -> Sequence[Published]:
    """Stores all or none of them, in their order, and delivers them. `now` is when `publish` was called: latency counts from there.

    Raises Invalid (topic, schema), TooLarge, NotFound (conversation), Conflict (an id that names another event).
    """
    handled = bus.has_handlers(NAME)
    rows, positions = _kept(team, publications, publisher, now, delivered=not handled)
    if positions:
        id, position = max(positions.items(), key=lambda each: each[1])
        last = Numbered(id, position, NAME, team.id, next(row["conversation"] for row in rows if row["id"] == id))
        fresh = [_stored(row, team, now, positions[row["id"]]) for row in rows if row["id"] in positions] if handled else []
        transaction.on_commit(lambda: bus.deliver_numbered(fresh, last=last), robust=True)
    return [Published(row["id"], row["topic"], row["critical"], row["id"] in positions) for row in rows]


def _kept(
    team: Team, publications: Sequence[Publication], publisher: str, now: datetime, *, delivered: bool
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
        found = _store(team=team, rows=rows, declared=declared.values(), publisher=publisher, now=now, delivered=delivered)
        if len(found) == len(rows):
            return rows, {id: position for id, position in found.items() if position is not None}
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
    about = {each.conversation_id for each in publications if each.conversation_id}
    if about and Conversation.objects.filter(team=team, id__in=about).count() < len(about):
        raise NotFound(noun="conversation")
    for each in publications:
        _check_topic(each.topic)
    return {each.topic for each in publications}


def _check_topic(topic: str) -> None:
    try:
        checked_topic(topic)
    except BadTopic as error:
        raise Invalid(f"{error}.", field="topic") from error
    first = topic.partition(":")[0]
    if first in OURS:
        raise Invalid(f"Topics that begin with {first}: are told by Continuity itself: choose another word.", field="topic")


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
    *, team: Team, rows: Sequence[Mapping[str, Any]], declared: Iterable[Topic], publisher: str, now: datetime, delivered: bool
) -> dict[UUID, int | None]:
    """The positions of those that are stored now, None for those that were before; fewer than `rows` where the topics are declared
    otherwise, or the team is gone."""
    as_declared = [topic.updated_at for topic in sorted(declared, key=lambda topic: topic.id)]
    told: list[Any] = [to_json(rows).decode(), as_declared, team.id, list({row["topic"] for row in rows}), team.id, NAME, team.id, team.id]
    told += [now, team.id, NAME, current_correlation_id(), current_traceparent(), publisher[:120], delivered, team.id]
    try:
        found = _insert(told)
    except IntegrityError as error:
        if not isinstance(error.__cause__, UniqueViolation):
            raise
        # One of the ids was stored while the statement waited for its turn: now it is seen.
        found = _insert(told)
    for row in rows:
        if row["id"] in found and not found[row["id"]][1]:
            raise Conflict("Another event has this id: choose a new one (UUID, version 4).", field="id", id=str(row["id"]))
    return {id: position for id, (position, _) in found.items()}


def _insert(told: Sequence[Any]) -> dict[UUID, tuple[int | None, bool]]:
    """The position of each that is stored now; None for what was stored before, and whether that is the same event."""
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, told)
        return {id: (position, same) for id, position, same in cursor.fetchall()}


@atomic
def erase(*, team: Team, event_id: UUID) -> None:
    """Removes what was published with an event. Raises NotFound where the team has no such payload."""
    if not PublishedPayload.objects.filter(team=team, event_id=event_id).delete()[0]:
        raise NotFound(noun="payload")
    events.publish(name="event.payload_erased", team=team, subject_id=event_id)
