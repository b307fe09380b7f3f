"""Gives committed events their position and passes them to the other processes over a Valkey/Redis stream."""


from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from continuity.models import Event
from continuity.services import broker

STREAM = "continuity:events"
STREAM_LENGTH = 10_000
_LOCK = 0x636F6E74  # any number that only the relay uses

_NUMBER = """
UPDATE continuity_event SET position = numbered.position FROM (
    SELECT id, nextval('continuity_event_position') AS position FROM (
        SELECT id FROM continuity_event WHERE position IS NULL ORDER BY created_at, id LIMIT 1000
    ) AS waiting
) AS numbered
WHERE continuity_event.id = numbered.id RETURNING continuity_event.id
"""


def relay() -> None:
    """Numbers every committed event that has no position, and writes what it numbered to the stream.

    Positions are given under one lock and become visible in their order, so a reader that goes on from the last
    position it saw misses nothing. The stream only tells other processes that there is something to read, and up to
    where: its own order may differ. What a dead broker did not take, `relay_left_over` sends later.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        cursor.execute(_NUMBER)
        numbered: list[UUID] = [row[0] for row in cursor.fetchall()]
    if numbered:
        _send(Event.objects.filter(id__in=numbered).order_by("position"))


def relay_left_over(*, limit: int = 500) -> None:
    """Numbers what is left and sends what the stream has not got yet; called by the sweep."""
    relay()
    _send(Event.objects.filter(relayed_at=None).exclude(position=None).order_by("position")[:limit])


def _send(events: QuerySet[Event]) -> None:
    rows = list(events)
    if rows and broker.try_call(lambda client: _write(client, rows)):
        Event.objects.filter(id__in=[row.id for row in rows]).update(relayed_at=timezone.now())


def _write(client: broker.Client, events: list[Event]) -> None:
    pipe = client.pipeline(transaction=False)
    for event in events:
        fields = {
            "position": event.position or 0,
            "id": str(event.id),
            "name": event.name,
            "team": str(event.team_id or ""),
            "subject": str(event.subject_id or ""),
        }
        pipe.xadd(STREAM, fields, maxlen=STREAM_LENGTH, approximate=True)
    pipe.execute()
