"""Reading states: now, at a version, at a time; what changed since a position."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from continuity.core.errors import NotFound, existing
from continuity.models import Cursor, StateEntry, StateVersion, Team
from continuity.services.shared_state import scopes
from continuity.services.shared_state.scopes import ScopeOwner
from continuity.shared_state import changes, history, names
from continuity.shared_state.changes import ChangeList
from continuity.shared_state.history import SNAPSHOT_EACH, StoredStep
from continuity.shared_state.names import ConflictKind
from continuity.shared_state.values import ABSENT

AT_ONCE = 200
# One answer holds values of about so many bytes together.
ANSWER_BYTES = 1024 * 1024
_LAST_GIVEN = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM continuity_state_position"


@dataclass(frozen=True, slots=True)
class StateChanges:
    """States that changed, each as it is now, in the order of their last changes. Whoever asks goes on from `position`, and
    names `generation` with it.

    `reset`: something is gone that the asker may hold (states erased, another database); what it holds is worth nothing, and this is the
    beginning of all there is. `more`: ask again at once.
    """

    entries: Sequence[StateEntry]
    position: int
    generation: int
    more: bool
    reset: bool


def get(*, team: Team, scope: str, owner: str, key: str) -> StateEntry:
    """Also one that was removed. Raises NotFound and Invalid."""
    return of_owner(team, scopes.owner_of(team=team, scope=scope, owner=owner), key)


def of_owner(team: Team, owner: ScopeOwner, key: str) -> StateEntry:
    of_owner = StateEntry.objects.filter(team=team, scope=owner.scope, owner_id=owner.id)
    return existing(of_owner.filter(key=key).first() if names.is_key(key) else None, "state")


def by_id(*, team: Team, state_id: UUID) -> StateEntry:
    """Raises NotFound, also for another team's."""
    return existing(StateEntry.objects.visible_to(team).filter(id=state_id).first(), "state")


def listed(
    *, team: Team, scope: str = "", owner: str = "", prefix: str = "", unresolved: bool = False, removed: bool = False
) -> "QuerySet[StateEntry]":
    """The team's states that fit. Raises NotFound and Invalid."""
    rows = StateEntry.objects.visible_to(team) if removed else StateEntry.objects.visible_to(team).there()
    if scope and owner:
        found = scopes.owner_of(team=team, scope=scope, owner=owner)
        rows = rows.filter(scope=found.scope, owner_id=found.id)
    elif scope:
        rows = rows.filter(scope=scope)
    rows = rows.filter(key__startswith=prefix) if prefix else rows
    return rows.filter(unresolved=True) if unresolved else rows


def versions(entry: StateEntry) -> "QuerySet[StateVersion]":
    return StateVersion.objects.filter(entry=entry).defer("snapshot", "difference")


def version(entry: StateEntry, number: int) -> StateVersion:
    """Raises NotFound, also where it is not kept any more."""
    found = versions(entry).filter(number=number).first()
    if found is None:
        raise NotFound(f"There is no version {number:,} of this state; kept are {entry.oldest:,} to {entry.version:,}.", noun="version")
    return found


def at_time(entry: StateEntry, at: datetime) -> StateVersion:
    """The version that was the latest then; times that the API tells end with milliseconds. Raises NotFound."""
    found = versions(entry).filter(created_at__lt=at + timedelta(milliseconds=1)).order_by("-number").first()
    if found is None:
        raise NotFound(f"The oldest version of this state that is kept is {entry.oldest:,}, and it is later.", noun="version")
    return found


def value_at(entry: StateEntry, number: int) -> Any:
    """The value of a version; ABSENT where it removed the state. One query. Raises NotFound."""
    if number == entry.shown:
        return entry.value
    if not entry.oldest <= number <= entry.version:
        version(entry, number)
    rows = StateVersion.objects.filter(entry=entry, number__lte=number, number__gt=number - SNAPSHOT_EACH).order_by("number")
    steps = [
        StoredStep(number, snapshot, difference) for number, snapshot, difference in rows.values_list("number", "snapshot", "difference")
    ]
    start = max((place for place, each in enumerate(steps) if each.begins), default=0)
    return history.value_of(steps[start:])


def difference(entry: StateEntry, *, first: int, second: int) -> ChangeList:
    """The difference between two versions; version 0 is before there was anything. Raises NotFound."""
    before = ABSENT if first == 0 else value_at(entry, first)
    return changes.between(before, value_at(entry, second))


def contenders(entry: StateEntry) -> Sequence[StateVersion]:
    """The versions among which a person is to choose."""
    if not entry.unresolved:
        return []
    return list(versions(entry).filter(number__gt=entry.shown, conflict=ConflictKind.UNRESOLVED).order_by("number"))


def changed_since(
    *, team: Team, position: int, generation: int | None = None, limit: int = AT_ONCE, scope: str = "", owner: str = ""
) -> StateChanges:
    """`generation` is that of the answer before. Each query goes by an index: what it costs depends on the answer, not on what is stored.

    Raises NotFound and Invalid.
    """
    rows = StateEntry.objects.visible_to(team)
    if scope:
        found = scopes.owner_of(team=team, scope=scope, owner=owner or scopes.OWN)
        rows = StateEntry.objects.filter(owner_id=found.id, scope=found.scope, team=team)
    present = generation_of(team)
    reset = position > _last_given() or (position > 0 and generation not in (None, present))
    after = 0 if reset else position
    next_ones = list(rows.filter(position__gt=after).order_by("position").values_list("id", "position", "size")[: min(limit, AT_ONCE) + 1])
    wanted: list[UUID] = []
    total = 0
    for state_id, _, size in next_ones[:limit]:
        total += size
        if wanted and total > ANSWER_BYTES:
            break
        wanted.append(state_id)
    # One that changed between the two statements comes as it is now, and again with its later position.
    entries = sorted(StateEntry.objects.filter(id__in=wanted), key=lambda entry: entry.position)
    reached = next_ones[len(wanted) - 1][1] if wanted else after
    return StateChanges(entries, reached, present, len(next_ones) > len(wanted), reset)


def generation_of(team: Team) -> int:
    """How often states of the team went without a trace: whoever holds copies from before may hold some of them."""
    return Cursor.objects.filter(consumer=generation_mark(team.id)).values_list("position", flat=True).first() or 0


def generation_mark(team_id: UUID) -> str:
    return f"states of {team_id}"


def _last_given() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_LAST_GIVEN)
        return int(cursor.fetchone()[0])
