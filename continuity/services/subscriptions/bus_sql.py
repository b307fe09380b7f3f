"""The statements that every hand-out and acknowledgement runs, written out: composing them anew cost twice what running them does."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError, connection
from psycopg.errors import LockNotAvailable

from continuity.events.topics import subject_of
from continuity.models import Delivery, Event, Subscription
from continuity.services.events.event_replay import PURGED

_FIELDS = [field.attname for field in Subscription._meta.concrete_fields]
_OWN = ", ".join(f"s.{name}" for name in _FIELDS)
# Foreign keys are checked row by row, with a plan that the connection keeps from when the tables were small: without an index a burst of
# events would take time by the square of their number, until somebody analyses the tables.
_LOCK = f"""
SELECT {_OWN},
    set_config('synchronous_commit', CASE WHEN %s THEN current_setting('synchronous_commit') ELSE 'off' END, true),
    set_config('lock_timeout', coalesce(%s, current_setting('lock_timeout')), true), set_config('enable_seqscan', 'off', true),
    (SELECT count(*) FROM continuity_delivery WHERE subscription_id = s.id),
    (SELECT min(due_at) FROM continuity_delivery WHERE subscription_id = s.id),
    greatest((SELECT max(position) FROM continuity_event), (SELECT position FROM continuity_cursor WHERE consumer = %s), 0)
FROM continuity_subscription s WHERE s.id = %s AND s.team_id = %s FOR UPDATE
"""  # noqa: S608  our own names
# Of who is busy with the row nothing is waited for: they say that the subscriber is there, too.
_STILL_THERE = """
UPDATE continuity_subscription SET seen_at = %(now)s WHERE id = (
    SELECT id FROM continuity_subscription WHERE id = %(id)s AND team_id = %(team)s AND seen_at < %(stale)s AND seen_at >= %(away)s
        AND epoch = coalesce(%(epoch)s, epoch) FOR UPDATE SKIP LOCKED
)
"""
_LIGHT = """
SELECT id, position, topic, name, critical FROM continuity_event
WHERE team_id = %s AND position > %s AND position <= %s ORDER BY position LIMIT %s
"""
_WHOLE = """
SELECT e.id, e.name, e.topic, e.position, e.created_at, e.subject_id, e.critical, e.publisher, e.correlation_id, e.traceparent,
    CASE WHEN e.topic = '' THEN e.payload ELSE p.body END
FROM continuity_event e LEFT JOIN continuity_publishedpayload p ON p.event_id = e.id
"""
_NEAR = f"{_WHOLE} WHERE e.team_id = %s AND e.position > %s AND e.position <= %s ORDER BY e.position"
_THESE = f"{_WHOLE} WHERE e.id = ANY(%s) ORDER BY e.position"
_HAND = """
WITH given AS (
    SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::boolean[], %s::float8[]) AS given (event, position, replay, took)
), handed AS (
    INSERT INTO continuity_delivery
        (id, created_at, subscription_id, event_id, position, attempts, due_at, latency_ms, replay, reason)
    SELECT gen_random_uuid(), now(), %s, event, position, 1, %s, took, replay, '' FROM given
)
UPDATE continuity_subscription SET position = %s, replayed = %s, seen_at = %s WHERE id = %s
"""
_PUT_OFF = """
UPDATE continuity_delivery SET attempts = given.attempts, due_at = given.due_at, reason = given.reason
FROM unnest(%s::uuid[], %s::int[], %s::timestamptz[], %s::text[]) AS given (id, attempts, due_at, reason)
WHERE continuity_delivery.id = given.id
"""
_HANDLED = """
WITH gone AS (
    DELETE FROM continuity_delivery WHERE subscription_id = %s AND event_id = ANY(%s)
    RETURNING event_id, position, attempts, replay, latency_ms
), done AS (
    INSERT INTO continuity_acknowledgement (subscription_id, event_id, position, attempts, acknowledged_at)
    SELECT %s, event_id, position, attempts, %s FROM gone ON CONFLICT DO NOTHING
), heard AS (
    UPDATE continuity_subscription SET acknowledged_at = %s, seen_at = %s WHERE id = %s AND EXISTS (SELECT FROM gone)
)
SELECT e.id, e.position, e.topic, e.name, gone.attempts, gone.replay, gone.latency_ms, e.created_at
FROM gone JOIN continuity_event e ON e.id = gone.event_id ORDER BY gone.position
"""


class LightEvent(NamedTuple):
    """The fields of an event that say whether a subscriber wants it."""

    id: UUID
    position: int
    subject: str
    critical: bool


class FullEvent(NamedTuple):
    """An event as its subscribers get it, `subject` its topic. `payload` is what its publisher said (None where it was erased since), or
    for events of ours, which nobody `published`, the ids and numbers."""

    id: UUID
    subject: str
    published: bool
    position: int
    created_at: datetime
    subject_id: UUID | None
    critical: bool
    publisher: str
    correlation_id: str
    traceparent: str
    payload: Any


class AcknowledgedEvent(NamedTuple):
    """An event that was acknowledged just now, and how it had been handed over."""

    id: UUID
    position: int
    subject: str
    attempts: int
    replay: bool
    latency_ms: float | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LockedSubscription:
    """A subscription, locked until the transaction ends; how many of its events are `held`, when the first of them comes again, and the
    greatest position of all events."""

    row: Subscription
    held: int
    first_due: datetime | None
    latest: int


def lock(*, team_id: UUID, subscription_id: UUID, lasting: bool, patience: timedelta | None = None) -> LockedSubscription | None:
    """None where the team has no such subscription. `lasting`: what the transaction stores is on the disk when it has committed; else a
    crash of the database may take it back. No statement of the transaction waits longer than `patience` for a lock: it raises
    OperationalError, which `is_held` tells from others."""
    wait = None if patience is None else f"{patience // timedelta(milliseconds=1)}ms"
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [lasting, wait, PURGED, subscription_id, team_id])
        found = cursor.fetchone()
    if found is None:
        return None
    row = Subscription.from_db(connection.alias, _FIELDS, found[: len(_FIELDS)])
    return LockedSubscription(row, *found[len(_FIELDS) + 3 :])


def is_held(error: OperationalError) -> bool:
    """Whether a statement gave up since somebody else holds a row that it needs."""
    return isinstance(error.__cause__, LockNotAvailable)


def touch_presence(*, team_id: UUID, subscription_id: UUID, epoch: int | None, now: datetime, stale: datetime, away: datetime) -> None:
    """Notes that a subscriber is there that was heard of before `stale`, but not before `away`."""
    told = {"id": subscription_id, "team": team_id, "epoch": epoch, "now": now, "stale": stale, "away": away}
    with connection.cursor() as cursor:
        cursor.execute(_STILL_THERE, told)


def light(*, team_id: UUID, after: int, through: int, limit: int) -> list[LightEvent]:
    with connection.cursor() as cursor:
        cursor.execute(_LIGHT, [team_id, after, through, limit])
        return [LightEvent(id, at, subject_of(topic, name), critical) for id, at, topic, name, critical in cursor.fetchall()]


def near(*, team_id: UUID, after: int, through: int) -> list[FullEvent]:
    """All of them: the caller sees to it that they are few."""
    with connection.cursor() as cursor:
        cursor.execute(_NEAR, [team_id, after, through])
        return _full_events(cursor.fetchall())


def these(ids: Sequence[UUID]) -> list[FullEvent]:
    with connection.cursor() as cursor:
        cursor.execute(_THESE, [list(ids)])
        return _full_events(cursor.fetchall())


def hand(row: Subscription, events: Sequence[FullEvent], *, took: Sequence[float | None], due_at: datetime) -> None:
    """Notes that events are handed over, and how far the subscription came. `took` is None for those that waited for the subscriber."""
    replay = [each.position <= row.replay_through for each in events]
    told: list[Any] = [[each.id for each in events], [each.position for each in events], replay, list(took)]
    with connection.cursor() as cursor:
        cursor.execute(_HAND, [*told, row.id, due_at, row.position, row.replayed, row.seen_at, row.id])


def put_off(rows: Sequence[Delivery]) -> None:
    """Stores of each how often it was handed over, when it comes again, and why."""
    if rows:
        told: list[Any] = [
            [row.id for row in rows],
            [row.attempts for row in rows],
            [row.due_at for row in rows],
            [row.reason for row in rows],
        ]
        with connection.cursor() as cursor:
            cursor.execute(_PUT_OFF, told)


def handled(row: Subscription, ids: Sequence[UUID], *, now: datetime) -> list[AcknowledgedEvent]:
    """Makes acknowledgements of deliveries; gives those that there were."""
    with connection.cursor() as cursor:
        cursor.execute(_HANDLED, [row.id, list(ids), row.id, now, now, now, row.id])
        return [acknowledged(row) for row in cursor.fetchall()]


def acknowledged(row: Sequence[Any]) -> AcknowledgedEvent:
    id, position, topic, name, *how = row
    return AcknowledgedEvent(id, position, subject_of(topic, name), *how)


def full_event(event: Event, payload: Any) -> FullEvent:
    return FullEvent(
        event.id, event.subject, bool(event.topic), event.position or 0, event.created_at, event.subject_id, event.critical,
        event.publisher, event.correlation_id, event.traceparent, payload,
    )  # fmt: skip


def _full_events(rows: Sequence[tuple[Any, ...]]) -> list[FullEvent]:
    return [read_full_event(row) for row in rows]


def read_full_event(row: Sequence[Any]) -> FullEvent:
    """Read an event from a row of `_WHOLE`."""
    id, name, topic, *told, payload = row
    return FullEvent._make((id, subject_of(topic, name), bool(topic), *told, None if payload is None else json.loads(payload)))
