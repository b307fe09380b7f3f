"""Reading events in their order, from where a reader stopped."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.db.models.functions import Greatest

from continuity.models import Cursor, Event, Team

# The greatest position that retention deleted: a reader that stopped before it may have missed something.
PURGED = "purged"


_LATEST = """
SELECT greatest((SELECT max(position) FROM continuity_event), (SELECT position FROM continuity_cursor WHERE consumer = %s), 0)
"""


def latest() -> int:
    """The greatest position that was ever given and is known of; a reader that begins now goes on from there. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_LATEST, [PURGED])
        return int(cursor.fetchone()[0])


def purged() -> int:
    """Up to where events may be gone. One query."""
    return Cursor.objects.filter(consumer=PURGED).values_list("position", flat=True).first() or 0


def note_purged(position: int) -> None:
    """Remembers that events up to `position` were deleted; called in the transaction that deletes them."""
    Cursor.objects.get_or_create(consumer=PURGED)
    Cursor.objects.filter(consumer=PURGED).update(position=Greatest(F("position"), position))


def resume_from(position: int | None) -> tuple[int, bool]:
    """Where a reader goes on that saw everything up to `position` (None: it begins now), and whether it missed something.

    What it missed was purged, or its position is none of ours (another database); then it goes on from now.
    """
    if position is None:
        return latest(), False
    greatest = latest()
    if purged() <= position <= greatest:
        return position, False
    return greatest, True


def after(*, team: Team, position: int, limit: int) -> Sequence[Event]:
    """The team's next events, the oldest first. One query, by index."""
    return list(Event.objects.filter(team=team, position__gt=position).order_by("position")[:limit])


def ids_in(event: Event) -> list[UUID]:
    """The ids that the event is about: its subject, and the conversation, handoff or chain that it names."""
    named = [event.payload.get(key) for key in ("conversation_id", "handoff_id", "chain_id")]
    found = [event.subject_id, *(UUID(value) for value in named if isinstance(value, str) and len(value) == 36)]
    return [each for each in dict.fromkeys(found) if each is not None]
