"""The writes of callers to a state: put, patch, remove, restore, resolve, erase."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from continuity.core.errors import Invalid
from continuity.core.transactions import atomic
from continuity.models import Cursor, StateEntry, Team
from continuity.services.events import events
from continuity.services.shared_state import limits, scopes, state_queries, state_writes
from continuity.services.shared_state.state_writes import Write, WrittenState
from continuity.shared_state import patches, places
from continuity.shared_state.names import StateStrategy
from continuity.shared_state.values import ABSENT, BadValue


@dataclass(frozen=True, slots=True)
class StateWriter:
    """The writer, and the version that was read (`state_writes.Write`)."""

    author: str
    now: datetime
    base: int | None = None
    strict: bool = False
    id: UUID | None = None

    def wants(self, **more: Any) -> Write:
        return Write(author=self.author, now=self.now, base=self.base, strict=self.strict, id=self.id, **more)


def put(
    *,
    team: Team,
    scope: str,
    owner: str,
    key: str,
    value: Any,
    writer: StateWriter,
    strategy: StateStrategy | None = None,
    merges: Mapping[str, str] | None = None,
) -> WrittenState:
    """Puts a value in the place of the one there. Raises as `writing.write`."""
    found = scopes.owner_of(team=team, scope=scope, owner=owner)
    clean = limits.cleaned(value)
    wanted = writer.wants(made=lambda _: clean, whole=True, strategy=strategy, merges=_rules(merges))
    return state_writes.write(team=team, owner=found, key=key, wanted=wanted)


def patch(*, team: Team, scope: str, owner: str, key: str, patch: Any, writer: StateWriter) -> WrittenState:
    """Changes parts of a value by a JSON Merge Patch (RFC 7396). Raises as `writing.write`."""
    found = scopes.owner_of(team=team, scope=scope, owner=owner)
    clean = limits.cleaned(patch)
    return state_writes.write(team=team, owner=found, key=key, wanted=writer.wants(made=lambda seen: patches.merged(seen, clean)))


def remove(*, team: Team, scope: str, owner: str, key: str, writer: StateWriter) -> WrittenState:
    """Removes the value; its versions stay, and any can be restored. Raises as `writing.write`."""
    found = scopes.owner_of(team=team, scope=scope, owner=owner)
    wanted = writer.wants(made=lambda _: ABSENT, whole=True, existing=True)
    return state_writes.write(team=team, owner=found, key=key, wanted=wanted)


def restore(*, team: Team, state_id: UUID, number: int, writer: StateWriter) -> WrittenState:
    """Makes the value of an earlier version the latest one. Raises as `writing.write`."""
    entry = state_queries.by_id(team=team, state_id=state_id)
    found = scopes.owner_of(team=team, scope=entry.scope, owner=str(entry.owner_id))
    value = state_queries.value_at(entry, number)
    wanted = writer.wants(made=lambda _: value, whole=True, restored=number)
    return state_writes.write(team=team, owner=found, key=entry.key, wanted=wanted)


def resolve(
    *, team: Team, state_id: UUID, take: int | None, value: Any = ABSENT, base: int | None, author: str, now: datetime
) -> WrittenState:
    """Ends a conflict by a version that waits, or another value. Raises as `writing.resolve`."""
    if (take is None) == (value is ABSENT):
        raise Invalid("Say which version to take, or send a value: one of both.", field="take")
    chosen = value if value is ABSENT else limits.cleaned(value)
    return state_writes.resolve(team=team, state_id=state_id, take=take, value=chosen, base=base, author=author, now=now)


@atomic
def erase(*, team: Team, state_id: UUID) -> None:
    """Deletes a state and all its versions for good. Raises NotFound."""
    entry = state_queries.by_id(team=team, state_id=state_id)
    StateEntry.objects.filter(id=entry.id).delete()
    publish_removal(team.id)
    payload = {"scope": entry.scope, "owner_id": str(entry.owner_id), "version": entry.version}
    events.publish(name="state.erased", team=team, subject_id=entry.id, payload=payload)


def publish_removal(team_id: UUID) -> None:
    """Tells holders of copies of the team's states that some were deleted; in the transaction that deletes them."""
    mark = state_queries.generation_mark(team_id)
    Cursor.objects.get_or_create(consumer=mark)
    Cursor.objects.filter(consumer=mark).update(position=F("position") + 1)


def _rules(merges: Mapping[str, str] | None) -> dict[str, str] | None:
    try:
        return None if merges is None else places.checked_rules(merges)
    except BadValue as error:
        raise Invalid(f"{error}.", field=error.place) from error
