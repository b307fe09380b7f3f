"""Whose a state may be: an agent's, a group's, a conversation's, a team's. Another kind of owner is one line in `OWNERS`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, models
from django.db.models import Q

from continuity.agents.names import is_name
from continuity.core.errors import Invalid, NotFound, existing
from continuity.models import Agent, Conversation, Group, Team
from continuity.shared_state.names import StateScope

# The team's own states need no id of it.
OWN = "own"


@dataclass(frozen=True, slots=True)
class ScopeOwner:
    """Whose states are meant; `columns` are those of a state's row that let it end with its owner."""

    scope: StateScope
    id: UUID
    name: str
    columns: Mapping[str, Any]
    model: type[models.Model]


def owner_of(*, team: Team, scope: str, owner: str) -> ScopeOwner:
    """The owner that a caller names. Raises NotFound, also for another team's, and Invalid where there is no such scope."""
    if scope not in OWNERS:
        raise Invalid(f"The scope of a state is {', '.join(OWNERS)}.", field="scope")
    return OWNERS[StateScope(scope)](team, owner)


def hold(team: Team, owner: ScopeOwner) -> None:
    """Until the transaction ends nobody erases the owner; others may work on with it. Raises NotFound."""
    table = owner.model._meta.db_table
    which = "id = %s" if owner.model is Team else "team_id = %s AND id = %s"
    given = [owner.id] if owner.model is Team else [team.id, owner.id]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {table} WHERE {which} FOR KEY SHARE", given)  # noqa: S608  our own names
        if cursor.fetchone() is None:
            raise NotFound(noun=str(owner.scope))


def _agent(team: Team, named: str) -> ScopeOwner:
    """Find an agent by its name, or by its id."""
    if not is_name(named):
        raise NotFound(noun="agent")
    found = Agent.objects.visible_to(team).only("id", "name")
    agent = existing(found.filter(name=named).first() or (found.filter(id=uuid).first() if (uuid := _uuid(named)) else None), "agent")
    return ScopeOwner(StateScope.AGENT, agent.id, agent.name, {"agent_id": agent.id}, Agent)


def _conversation(team: Team, named: str) -> ScopeOwner:
    uuid = _uuid(named)
    found = existing(
        Conversation.objects.visible_to(team).filter(id=uuid).values_list("id", "title").first() if uuid else None, "conversation"
    )
    return ScopeOwner(StateScope.CONVERSATION, found[0], found[1] or str(found[0]), {"conversation_id": found[0]}, Conversation)


def _group(team: Team, named: str) -> ScopeOwner:
    """Find a group by its id, or by that of its conversation, with which it ends."""
    uuid = _uuid(named)
    found = existing(
        Group.objects.visible_to(team).filter(Q(id=uuid) | Q(conversation=uuid)).only("conversation").first() if uuid else None, "group"
    )
    return ScopeOwner(StateScope.GROUP, found.id, str(found.conversation_id), {"conversation_id": found.conversation_id}, Group)


def _team(team: Team, named: str) -> ScopeOwner:
    if named not in (OWN, str(team.id), team.slug):
        raise NotFound(noun="team")
    return ScopeOwner(StateScope.TEAM, team.id, team.name, {}, Team)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text) if len(text) == 36 else None
    except ValueError:
        return None


OWNERS: dict[StateScope, Callable[[Team, str], ScopeOwner]] = {
    StateScope.AGENT: _agent,
    StateScope.GROUP: _group,
    StateScope.CONVERSATION: _conversation,
    StateScope.TEAM: _team,
}
