"""The one way in which states are written: decided by strategy, bounded, stored as a version, told as an event with its position.

The version that a writer read is the one it writes against (`base`); nobody holds a state while somebody thinks.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from continuity.core.errors import BaseMissing, Invalid, NotFound, VersionMismatch, existing
from continuity.core.transactions import atomic
from continuity.models import StateEntry, StateVersion, Team
from continuity.services.events import events
from continuity.services.shared_state import limits, scopes, state_queries
from continuity.services.shared_state.scopes import ScopeOwner
from continuity.shared_state import history, merging, values
from continuity.shared_state.deciding import WriteDecision, decide
from continuity.shared_state.names import ConflictKind, StateStrategy
from continuity.shared_state.values import ABSENT, same

logger = logging.getLogger("continuity.shared_state")

# More versions than a person can choose from are not kept beside each other.
MOST_CONTENDERS = 10
# Drawn under a lock of the team until the transaction ends, so that positions become visible in their order.
_POSITION = """
WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(1937006964, hashtext(%s)))
SELECT nextval('continuity_state_position') FROM held
"""
_NEW = """
INSERT INTO continuity_stateentry (id, created_at, team_id, scope, owner_id, agent_id, conversation_id, key, strategy, merges, stored,
    removed, unresolved, version, shown, oldest, since_snapshot, position, digest, size, history_size, author, updated_at)
VALUES (gen_random_uuid(), %s, %s, %s, %s, %s, %s, %s, %s, '{}', '[]', false, false, 0, 0, 1, 0, 0, '', 0, 0, '', %s)
ON CONFLICT DO NOTHING
"""

Making = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Write:
    """A wanted change of a state. `made` gives the new value from the one that was read (ABSENT where there is none): it is called
    with what is stored now where that is merged with, or overwritten. `whole`: it does not depend on it.

    `base` is the version that was read; `strict`: refuse where that is not the latest. `id` makes the write one, however often it is sent.
    `strategy` and `merges` change how the state is written from now on. `existing`: there must be a state that was not removed.
    """

    made: Making
    author: str
    now: datetime
    whole: bool = False
    base: int | None = None
    strict: bool = False
    id: UUID | None = None
    strategy: StateStrategy | None = None
    merges: Mapping[str, str] | None = None
    existing: bool = False
    restored: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenState:
    """The state after a write, and what that did: `number` is the version it made, `unchanged` where it made none since it said nothing
    new, or was sent before."""

    entry: StateEntry
    number: int
    conflict: ConflictKind
    places: list[str]
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: Any
    conflict: ConflictKind = ConflictKind.NONE
    places: tuple[str, ...] = ()


@atomic
def write(*, team: Team, owner: ScopeOwner, key: str, wanted: Write) -> WrittenState:
    """Stores a version, or none where nothing changes. Raises NotFound, Invalid, TooLarge, TooMany; and where the strategy says so
    BaseMissing and VersionMismatch, with the current version."""
    entry = _held(team, owner, limits.checked_key(key), wanted)
    if wanted.id is not None and (known := state_queries.versions(entry).filter(write_id=wanted.id).first()) is not None:
        return WrittenState(entry, known.number, ConflictKind(known.conflict), known.places, unchanged=True)
    if entry.version == 0:
        limits.room_for_key(entry)
    if wanted.existing and (entry.version == 0 or entry.removed):
        raise NotFound(noun="state")
    decision = _decided(entry, wanted)
    outcome = _outcome(entry, decision, wanted)
    configured = _configure(entry, decision, wanted)
    if decision != WriteDecision.KEEP_BOTH and entry.version and same(outcome.value, entry.value):
        if configured:
            entry.save(update_fields=["strategy", "merges"])
        return WrittenState(entry, entry.version, ConflictKind.NONE, [], unchanged=True)
    return _store(entry, outcome, wanted)


@atomic
def resolve(*, team: Team, state_id: UUID, take: int | None, value: Any, base: int | None, author: str, now: datetime) -> WrittenState:
    """Ends a conflict: by one of the versions that wait (`take`), the one that readers see, or another value (clean). Readers see it from
    then on. Raises NotFound, Invalid, TooLarge, and VersionMismatch where more came since version `base`."""
    entry = existing(StateEntry.objects.select_for_update().filter(team=team, id=state_id).first(), "state")
    entry.team = team
    waiting = [each.number for each in state_queries.contenders(entry)]
    if not waiting:
        raise Invalid("Nothing is to be resolved here: no two versions wait for a person.", field="state")
    if base is not None and base != entry.version:
        raise VersionMismatch(current=entry.version, given=base)
    if take is not None and take not in (*waiting, entry.shown):
        raise Invalid(f"Take one of the versions {', '.join(map(str, (entry.shown, *waiting)))}, or send a value.", field="take")
    chosen = value if take is None else state_queries.value_at(entry, take)
    of_waiting = StateVersion.objects.filter(entry=entry, number__in=waiting)
    taken = take or 0  # No version has the number 0.
    of_waiting.exclude(number=taken).update(conflict=ConflictKind.OVERWRITTEN)
    of_waiting.filter(number=taken).update(conflict=ConflictKind.MERGED)
    wanted = Write(made=lambda _: chosen, author=author, now=now, base=entry.version, restored=take)
    return _store(entry, _Outcome(chosen, ConflictKind.MERGED), wanted, resolving=True)


def _held(team: Team, owner: ScopeOwner, key: str, wanted: Write) -> StateEntry:
    """The state's row, locked; made where there is none."""
    scopes.hold(team, owner)
    rows = StateEntry.objects.select_for_update(of=("self",)).filter(team=team, scope=owner.scope, owner_id=owner.id, key=key)
    entry = rows.first()
    if entry is None:
        strategy = wanted.strategy or StateStrategy.LAST_WRITE_WINS
        given = [wanted.now, team.id, owner.scope, owner.id, owner.columns.get("agent_id"), owner.columns.get("conversation_id"), key]
        with connection.cursor() as cursor:
            cursor.execute(_NEW, [*given, strategy, wanted.now])
        entry = rows.get()
    entry.team = team
    return entry


def _decided(entry: StateEntry, wanted: Write) -> WriteDecision:
    strategy = StateStrategy(entry.strategy)
    told = {"base": wanted.base, "strict": wanted.strict, "unresolved": entry.unresolved}
    decision = decide(strategy=strategy, version=entry.version, **told)  # type: ignore[arg-type]
    if decision == WriteDecision.REFUSE:
        raise VersionMismatch(current=entry.version, given=wanted.base, strategy=entry.strategy)
    if decision == WriteDecision.ASK_BASE:
        raise BaseMissing(strategy=entry.strategy, current=entry.version)
    if decision == WriteDecision.KEEP_BOTH and entry.version + 1 - _common(entry, wanted) > MOST_CONTENDERS:
        detail = f"{MOST_CONTENDERS} versions wait for a person already: one of them must be chosen first."
        raise VersionMismatch(detail, current=entry.version, given=wanted.base, strategy=entry.strategy)
    return decision


def _common(entry: StateEntry, wanted: Write) -> int:
    """The version that all of those who disagree had before them."""
    return entry.shown if entry.unresolved else int(wanted.base or 0)


def _outcome(entry: StateEntry, decision: WriteDecision, wanted: Write) -> _Outcome:
    current = entry.value
    if decision == WriteDecision.WRITE:
        return _Outcome(_checked(wanted.made(current)))
    seen = _seen(entry, wanted)
    if decision == WriteDecision.KEEP_BOTH:
        if seen is None:
            raise _forgotten(entry, wanted)
        return _Outcome(_checked(wanted.made(seen[0])), ConflictKind.UNRESOLVED)
    merged = merging.three_way(seen[0], current, wanted.made(seen[0]), entry.merges) if seen is not None else None
    if decision == WriteDecision.OVERWRITE:
        new = wanted.made(current)
        if merged is not None and not merged.contested and not wanted.whole:
            return _Outcome(_checked(new), ConflictKind.MERGED)
        return _Outcome(_checked(new), ConflictKind.OVERWRITTEN, tuple(merged.places) if merged is not None else ())
    if merged is None:
        raise _forgotten(entry, wanted)
    if merged.contested:
        told = ", ".join(place or "the whole value" for place in merged.places[:5])
        detail = f"Others changed the same since version {wanted.base:,} ({told}): read version {entry.version:,} and repeat the change."
        raise VersionMismatch(detail, current=entry.version, given=wanted.base, strategy=entry.strategy, places=merged.places)
    return _Outcome(_checked(merged.value), ConflictKind.MERGED)


def _seen(entry: StateEntry, wanted: Write) -> tuple[Any] | None:
    """The value that the writer had read; None where that version is not kept any more."""
    base = int(wanted.base or 0)
    if base == 0:
        return (ABSENT,)
    return (state_queries.value_at(entry, base),) if entry.oldest <= base <= entry.version else None


def _forgotten(entry: StateEntry, wanted: Write) -> VersionMismatch:
    detail = f"Version {wanted.base:,} is not kept any more, and nothing can be compared with it: read version {entry.version:,}."
    return VersionMismatch(detail, current=entry.version, given=wanted.base, strategy=entry.strategy)


def _checked(value: Any) -> Any:
    limits.checked_size(value)
    return value


def _configure(entry: StateEntry, decision: WriteDecision, wanted: Write) -> bool:
    """Whether the state is written otherwise from now on."""
    strategy, merges = wanted.strategy or StateStrategy(entry.strategy), dict(entry.merges if wanted.merges is None else wanted.merges)
    if (strategy, merges) == (entry.strategy, entry.merges):
        return False
    if decision != WriteDecision.WRITE:
        raise VersionMismatch(current=entry.version, given=wanted.base, strategy=entry.strategy)
    entry.strategy, entry.merges = strategy, merges
    return True


def _store(entry: StateEntry, outcome: _Outcome, wanted: Write, *, resolving: bool = False) -> WrittenState:
    """The next version; the caller holds the row."""
    kept_both, grown = outcome.conflict == ConflictKind.UNRESOLVED, entry.size
    latest = entry.value if entry.shown == entry.version else state_queries.value_at(entry, entry.version)
    number, missed = entry.version + 1, entry.version
    step = history.step(number=number, before=latest, after=outcome.value, since_snapshot=entry.since_snapshot)
    if kept_both and not entry.unresolved:
        _part(entry, wanted)
    if not kept_both:
        entry.shown, entry.unresolved = number, False
        entry.stored = [] if outcome.value is ABSENT else [outcome.value]
        entry.removed = outcome.value is ABSENT
        entry.digest, entry.size = values.digest(outcome.value), len(values.written(entry.stored))
    entry.version, entry.since_snapshot = number, 1 if step.begins else entry.since_snapshot + 1
    entry.history_size, entry.author, entry.updated_at = entry.history_size + step.size, wanted.author[:120], wanted.now
    entry.position = next_position(entry.team_id)
    StateVersion.objects.create(
        entry=entry, number=number, position=entry.position, author=entry.author, conflict=outcome.conflict, base=wanted.base,
        places=list(outcome.places), difference=step.difference, snapshot=step.snapshot, size=step.size, created_at=wanted.now,
        digest=values.digest(outcome.value), restored=wanted.restored, write_id=wanted.id,
    )  # fmt: skip
    limits.trim(entry)
    entry.save()
    if entry.size > grown or step.size > entry.size // 2:
        limits.room_in_scope(entry)
    _publish(entry, outcome, wanted, missed, resolving)
    return WrittenState(entry, number, outcome.conflict, list(outcome.places))


def _part(entry: StateEntry, wanted: Write) -> None:
    """From now on readers see what those who disagree had before them; what came since then waits beside what comes now."""
    base = int(wanted.base or 0)
    value = ABSENT if base == 0 else state_queries.value_at(entry, base)
    entry.unresolved, entry.shown = True, base
    entry.stored, entry.removed = ([] if value is ABSENT else [value]), value is ABSENT
    entry.digest, entry.size = values.digest(value), len(values.written(entry.stored))
    StateVersion.objects.filter(entry=entry, number__gt=base).update(conflict=ConflictKind.UNRESOLVED)


def next_position(team_id: UUID) -> int:
    """One above all that the team's states have; whoever draws one holds up the team's other writers until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_POSITION, [str(team_id)])
        return int(cursor.fetchone()[0])


def _publish(entry: StateEntry, outcome: _Outcome, wanted: Write, missed: int, resolving: bool) -> None:
    payload = {
        "scope": entry.scope, "owner_id": str(entry.owner_id), "version": entry.version, "shown": entry.shown, "position": entry.position,
        "conflict": str(outcome.conflict),
    }  # fmt: skip
    name = "state.resolved" if resolving else "state.removed" if outcome.value is ABSENT else "state.changed"
    events.publish(name=name, team=entry.team, subject_id=entry.id, payload=payload)
    if outcome.conflict == ConflictKind.NONE or resolving:
        return
    events.publish(
        name="state.conflicted", team=entry.team, subject_id=entry.id, payload={**payload, "missed": missed, "read": wanted.base}
    )
    if outcome.conflict == ConflictKind.OVERWRITTEN:
        both = {"overwritten": missed, "overwritten_by": entry.version, "read": wanted.base, "places": list(outcome.places)}
        told = {"state_id": str(entry.id), "key": entry.key, "scope": entry.scope, "digest": entry.digest, **both}
        logger.warning("Version %d of a state overwrote what its writer had not seen", entry.version, extra={"metadata": told})
