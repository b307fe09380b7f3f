"""What became of the versions of a shared value, in plain words, and where its writers spoke of it."""

from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from continuity.models import Agent, Message, StateEntry, StateVersion
from continuity.shared_state.names import ConflictKind, StateStrategy

AGENT = "agent "  # how an agent stands as an author
SPOKEN = 500  # messages of the writers that are looked at
_CHOSEN = {ConflictKind.MERGED: "chosen", ConflictKind.OVERWRITTEN: "not chosen"}
_MET = {
    ConflictKind.MERGED: "joined with others’ changes",
    ConflictKind.OVERWRITTEN: "replaced others’ changes",
    ConflictKind.UNRESOLVED: "waits for a choice",
}


def outcome(entry: StateEntry, version: StateVersion) -> str:
    """Empty for a version that met nobody else's."""
    conflict = ConflictKind(version.conflict)
    if version.restored:
        return f"version {version.restored:,} was chosen" if conflict != ConflictKind.NONE else f"brought version {version.restored:,} back"
    if entry.strategy == StateStrategy.MANUAL and conflict in _CHOSEN:
        return _CHOSEN[conflict]
    return _MET.get(conflict, "")


def read_before(entry: StateEntry, versions: Iterable[StateVersion], number: int) -> int:
    """The version that everybody read before `number`: not one of those that only waited for a choice. `versions` are the latest first."""
    waited = (ConflictKind.MERGED, ConflictKind.OVERWRITTEN, ConflictKind.UNRESOLVED)
    before = number - 1
    for each in versions:
        if each.number == before and entry.strategy == StateStrategy.MANUAL and each.conflict in waited and not each.restored:
            before -= 1
    return max(before, 0)


def agent_of(version: StateVersion) -> str:
    """The name of the agent that wrote it; empty where a person did."""
    return version.author.removeprefix(AGENT) if version.author.startswith(AGENT) else ""


def writers(entry: StateEntry, versions: Collection[StateVersion]) -> dict[int, str]:
    """By the version's number, the agent that wrote it, where it has a page. One query at most."""
    names = {each.number: name for each in versions if (name := agent_of(each))}
    there = set(Agent.objects.filter(team=entry.team_id, name__in=set(names.values())).values_list("name", flat=True)) if names else set()
    return {number: name for number, name in names.items() if name in there}


def said_then(entry: StateEntry, versions: Collection[StateVersion]) -> dict[int, int]:
    """By the version's number, the message of its writer in the state's conversation that is nearest in time. One query at most."""
    names = {agent_of(each) for each in versions} - {""}
    if entry.conversation_id is None or not names:
        return {}
    rows = _spoken(entry.conversation_id, names)
    nearest: dict[int, int] = {}
    for each in versions:
        if own := [(abs(at - each.created_at), seq) for seq, device, at in rows if device == agent_of(each)]:
            nearest[each.number] = min(own)[1]
    return nearest


def _spoken(conversation: UUID, names: Collection[str]) -> list[tuple[int, str, datetime]]:
    rows = Message.objects.filter(conversation=conversation, device__in=names).order_by("-seq")
    return [(seq, device, at or kept) for seq, device, at, kept in rows.values_list("seq", "device", "at", "created_at")[:SPOKEN]]
