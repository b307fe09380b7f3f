"""The state of an agent, for its present instance."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from continuity.core.errors import OtherState
from continuity.core.tracing import span
from continuity.models import AgentInstance, Team
from continuity.services import agent_state
from continuity.services.agent_state import LoadedState, SavedState
from continuity.services.agents import epochs


@span("continuity.agent.save_state")
def save(*, team: Team, name: str, epoch: int, instance: UUID, state: Mapping[str, Any], now: datetime) -> SavedState:
    """Stores the state; it is erased with the conversation that the agent works on. Raises NotFound, Fenced, Invalid, TooLarge and
    Unavailable.

    The row of the agent is not held meanwhile, since packing takes its time: the storage itself refuses whoever a later instance shut out
    by `load`, and what an instance saved before that is what the later one begins with.
    """
    agent = epochs.get(team=team, name=name)
    epochs.check(agent, epoch, instance)
    return agent_state.save(team=team, agent=name, epoch=epoch, state=state, now=now, conversation_id=agent.working_on_id)


@span("continuity.agent.load_state")
def load(*, team: Team, name: str, epoch: int, instance: UUID, now: datetime) -> LoadedState | None:
    """Load the state that the instance begins with; no earlier one can save any more. Its digest is remembered until the instance is ready.

    Raises NotFound, Fenced, Conflict (damaged), Unavailable.
    """
    epochs.check(epochs.get(team=team, name=name), epoch, instance)
    found = agent_state.begin(team=team, agent=name, epoch=epoch, now=now)
    AgentInstance.objects.filter(id=instance).update(state_digest=found.digest if found else "")
    return found


def check_restored(*, team: Team, name: str, instance: UUID, digest: str) -> None:
    """Raises OtherState where an instance restored something else than the state that it was given, or than what is stored now, which it
    may have saved itself. One that names no digest restored nothing. Raises Conflict (damaged) and Unavailable."""
    if not digest:
        return
    present = AgentInstance.objects.filter(id=instance, agent__team=team, agent__name=name, agent__instance_id=instance)
    given = present.values_list("state_digest", flat=True).first()
    if given is None or given == digest:
        return
    found = agent_state.load(team=team, agent=name)
    if found is None or found.digest != digest:
        raise OtherState(given=digest, stored=found.digest if found else "of no state")
