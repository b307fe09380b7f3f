"""Gives committed events their position and passes them to the other processes over a Valkey/Redis stream."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID

from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import QuerySet
from redis.typing import EncodableT, FieldT

from continuity.core import deadlines
from continuity.models import Event
from continuity.services.jobs import broker

logger = logging.getLogger("continuity.events")

STREAM = "continuity:events"
STREAM_LENGTH = 10_000
# Its commit need not reach the disk before anybody goes on: an event whose mark a crash of the database took is sent once more.
_MARK_SENT = """
WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
UPDATE continuity_event SET relayed_at = now() FROM unhurried
WHERE id IN (SELECT id FROM continuity_event WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE)
"""
_MARK_DELIVERED = """
UPDATE continuity_event SET dispatched_at = now()
WHERE id IN (SELECT id FROM continuity_event WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE)
"""
# What was sent and is marked in a moment, all at once, by one thread. Ids go in and out at the ends, which needs no lock.
MARKED_AFTER, MARKED_WITHIN = 0.05, 4.0
_later: ContextVar[bool] = ContextVar("later", default=False)
_unmarked: deque[UUID] = deque()
_marking = ThreadPoolExecutor(1, thread_name_prefix="marks")


@dataclass(frozen=True, slots=True)
class Numbered:
    """The fields of an event in the stream."""

    id: UUID
    position: int
    name: str
    team: UUID | None
    subject: UUID | None


def relay(*, delivered: UUID | None = None) -> frozenset[UUID]:
    """Numbers every committed event that has no position, and writes what it numbered to the stream.

    Positions are given under one lock and become visible in their order, so a reader that goes on from the last
    position it saw misses nothing. The stream only tells other processes that there is something to read, and up to
    where: its own order may differ. `delivered` is an event whose handlers ran, and is marked so. What a dead broker
    did not take, `relay_pending` sends later. Two statements, each its own transaction. Returns what it numbered.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM continuity_number_events(%s)", [delivered])
        numbered = [Numbered(*row) for row in cursor.fetchall()]
    ids = frozenset(event.id for event in numbered)
    if delivered is not None and delivered not in ids:
        mark_delivered([delivered])  # Another process numbered it first.
    send(sorted(numbered, key=lambda event: event.position))
    return ids


def mark_delivered(ids: Sequence[UUID]) -> None:
    """Notes that the handlers of these events ran. One statement."""
    if ids:
        with connection.cursor() as cursor:
            cursor.execute(_MARK_DELIVERED, [list(ids)])


def relay_pending(*, limit: int = 500) -> None:
    """Numbers what is left and sends what the stream has not got yet; called by the sweep."""
    relay()
    left = Event.objects.filter(relayed_at=None).exclude(position=None).order_by("position")[:limit]
    send([Numbered(event.id, event.position or 0, event.name, event.team_id, event.subject_id) for event in left])


def hold(events: "QuerySet[Event]") -> None:
    """Locks events that the caller's transaction changes or deletes, as its last step: nobody numbers or marks them meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(1668247156)")  # that of `continuity_number_events`
    list(events.select_for_update().order_by("id").values_list("id"))


@contextmanager
def marked_later() -> Iterator[None]:
    """What is sent in the block is marked in a moment, so that who publishes does not wait for it. What a process that dies meanwhile did
    not mark is sent once more by the sweep, which tells nobody anything new."""
    token = _later.set(True)
    try:
        yield
    finally:
        _later.reset(token)


_listeners: list[Callable[[Sequence[Numbered]], None]] = []


def listen(listener: Callable[[Sequence[Numbered]], None]) -> None:
    """Has `listener` told of the events that this process sends, before any other process hears of them; it must not take long.
    One that fails is logged: what it was told of is stored."""
    _listeners.append(listener)


def send(events: Sequence[Numbered]) -> None:
    """Writes to the stream that there are these events; what a dead broker does not take is sent later."""
    if not events:
        return
    for listener in _listeners:
        try:
            listener(events)
        except Exception:
            logger.exception("A listener to what this process sends failed")
    if not broker.try_call(lambda client: _write(client, events)):
        return
    ids = [event.id for event in events]
    if _later.get():
        _unmarked.extend(ids)
        _marking.submit(_mark_sent_soon)
    else:
        _mark_sent(ids)


def _mark_sent_soon() -> None:
    """Marks those of the last moment together: whoever comes after finds none left."""
    if not _unmarked:
        return
    time.sleep(MARKED_AFTER)
    try:
        with deadlines.at_most(MARKED_WITHIN):
            _mark_sent([_unmarked.popleft() for _ in range(len(_unmarked))])
    except DatabaseError:
        logger.warning("Events that were sent could not be marked: the sweep sends them again")
    finally:
        connection.close()


def _mark_sent(ids: Sequence[UUID]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MARK_SENT, [list(ids)])


def _write(client: broker.Client, events: Sequence[Numbered]) -> None:
    pipe = client.pipeline(transaction=False)
    for event in events:
        fields: dict[FieldT, EncodableT] = {
            "position": event.position,
            "id": str(event.id),
            "name": event.name,
            "team": str(event.team or ""),
            "subject": str(event.subject or ""),
        }
        pipe.xadd(STREAM, fields, maxlen=STREAM_LENGTH, approximate=True)
    pipe.execute()
