"""Admission of new work for agents: none while their team is in degradation (FR-010a), nor at the limit of its conversations (FR-037).

Recorders, people and imports never ask here.
"""

import logging
from typing import Any
from uuid import UUID

from continuity.agents import degradation
from continuity.core.errors import AllSessionsTaken, TeamDegraded
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.models import Agent, Conversation, Incident, Team
from continuity.services.agents import capacity, epochs
from continuity.services.recording import conversations
from continuity.services.subscriptions import meters

logger = logging.getLogger("continuity.agents")

REJECTIONS = "session_rejection_count"


def admit_agent(*, team: Team) -> None:
    """Raises TeamDegraded. One query."""
    if Incident.objects.visible_to(team).open().exists():
        raise TeamDegraded(retry_after=degradation.RETRY_AFTER)


def admit_group(*, team: Team) -> None:
    """Whether a group may begin; the caller holds the team's row. A refusal is logged and counted.

    Raises TeamDegraded while the team is in degradation, AllSessionsTaken at the limit.
    """
    try:
        _admit(team)
    except (AllSessionsTaken, TeamDegraded) as refusal:
        _refused(team, refusal)
        raise


@span("continuity.agent.open")
def open_conversation(
    *, team: Team, name: str, epoch: int, instance: UUID, title: str = "", model: str = "", cwd: str = "", source_tool: str = ""
) -> Conversation:
    """A new conversation for an agent, which works on it from now on. A refusal is logged and counted.

    Raises NotFound, Fenced; TeamDegraded while the team is in degradation, AllSessionsTaken at the limit.
    """
    given: dict[str, Any] = {"title": title, "model": model, "cwd": cwd, "source_tool": source_tool}
    try:
        return _open(team=team, name=name, epoch=epoch, instance=instance, given=given)
    except (AllSessionsTaken, TeamDegraded) as refusal:
        _refused(team, refusal, agent=name)
        raise


@atomic
def _open(*, team: Team, name: str, epoch: int, instance: UUID, given: dict[str, Any]) -> Conversation:
    Team.objects.select_for_update(no_key=True).get(id=team.id)  # of two at the limit one is the last
    agent = epochs.lock_present(team=team, name=name, epoch=epoch, instance=instance)
    _admit(team)
    made = conversations.create(team=team, **given)
    Agent.objects.filter(id=agent.id).update(working_on=made)
    return made


def _admit(team: Team) -> None:
    found = capacity.of_team(team)
    if found.degraded:
        raise TeamDegraded(retry_after=degradation.RETRY_AFTER)
    if found.full:
        raise AllSessionsTaken(limit=found.limit, retry_after=degradation.RETRY_AFTER)


def _refused(team: Team, refusal: AllSessionsTaken | TeamDegraded, **whose: str) -> None:
    told = {"team": str(team.id), **whose, "reason": refusal.code, **refusal.data}
    logger.warning("A conversation of agents was refused", extra={"metadata": told})
    meters.count(REJECTIONS)
