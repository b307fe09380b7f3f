"""Erasing what shared states hold of a conversation. Those of the conversation itself go with its row; others may repeat its words."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from continuity.core.redaction import Redaction, walk
from continuity.core.stored_json import as_stored
from continuity.core.transactions import atomic
from continuity.models import StateEntry, StateVersion, Team
from continuity.services.shared_state import states
from continuity.services.shared_state.state_writes import next_position
from continuity.shared_state import values
from continuity.shared_state.names import ConflictKind

# So long a state that was removed can be restored.
REMOVED_LIFE = timedelta(days=30)
BATCH = 1000


def forget(*, team: Team, conversation: UUID, repeats: Callable[[str], bool]) -> int:
    """Removes for good the states, of whomever, that repeat words of a conversation (`repeats`, given JSON), and old versions that do;
    those of the conversation itself go with it. Returns how many states. The caller's transaction."""
    gone = 0
    for entry in _of(team).exclude(conversation=conversation).iterator(chunk_size=BATCH):
        if repeats(values.written(entry.stored).decode()):
            entry.delete()
            gone += 1
        elif any(repeats(text) for text in _texts_of_versions(entry)):
            _reset_history(entry)
            gone += 1
    gone_with_it = StateEntry.objects.filter(team=team, conversation=conversation).count()
    if gone or gone_with_it:
        states.publish_removal(team.id)
    return gone + gone_with_it


def redact(*, team: Team, redaction: Redaction) -> Counter[str]:
    """Blacks the words out of every state of the team; of one that held them no earlier version stays. Counts them. The caller's
    transaction."""
    changed: Counter[str] = Counter()
    for entry in _of(team).iterator(chunk_size=BATCH):
        new = as_stored(walk(entry.stored, redaction.in_copies))
        holds = new != entry.stored or any(redaction.in_copies(text) != text for text in _texts_of_versions(entry))
        if holds:
            entry.stored = new
            _reset_history(entry)
            changed["stateentry"] += 1
    if changed:
        states.publish_removal(team.id)
    return changed


@atomic
def purge_removed(*, now: datetime) -> int:
    """Deletes a batch of the states that were removed long ago. Returns how many."""
    old = StateEntry.objects.filter(removed=True, unresolved=False, updated_at__lt=now - REMOVED_LIFE)
    rows = list(old.select_for_update(skip_locked=True, of=("self",)).order_by("updated_at").values_list("id", "team_id")[:BATCH])
    for team_id in sorted({team_id for _, team_id in rows}):
        states.publish_removal(team_id)
    StateEntry.objects.filter(id__in=[state_id for state_id, _ in rows]).delete()
    return len(rows)


def _of(team: Team) -> "QuerySet[StateEntry]":
    return StateEntry.objects.filter(team=team).select_for_update(of=("self",)).order_by("id")


def _texts_of_versions(entry: StateEntry) -> Iterator[str]:
    rows = StateVersion.objects.filter(entry=entry).values_list("snapshot", "difference")
    for snapshot, difference in rows.iterator(chunk_size=BATCH):
        yield values.written(difference if snapshot is None else snapshot).decode()


def _reset_history(entry: StateEntry) -> None:
    """Lets the state go on from what it is now, as one version more and the only one."""
    StateVersion.objects.filter(entry=entry).delete()
    entry.version += 1
    entry.shown = entry.oldest = entry.version
    entry.unresolved, entry.since_snapshot, entry.author, entry.updated_at = False, 1, "erasing", timezone.now()
    entry.digest = values.digest(entry.value)
    entry.size = entry.history_size = len(values.written(entry.stored))
    entry.position = next_position(entry.team_id)
    entry.save()
    StateVersion.objects.create(
        entry=entry, number=entry.version, position=entry.position, author=entry.author, conflict=ConflictKind.NONE, snapshot=entry.stored,
        size=entry.size, digest=entry.digest, created_at=entry.updated_at,
    )  # fmt: skip
