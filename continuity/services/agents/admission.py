"""What is begun for agents: nothing new while their team is in degradation (FR-010a). Recorders, people and imports never ask here."""

from uuid import UUID

from django.conf import settings

from continuity.agents import degradation
from continuity.core.errors import AllSessionsTaken, TeamDegraded
from continuity.core.transactions import atomic
from continuity.groups.model import GroupStatus
from continuity.models import Agent, Conversation, Group, Incident, Team
from continuity.services.agents import epochs
from continuity.services.recording import conversations


def is_degraded(team: Team) -> bool:
    return Incident.objects.visible_to(team).open().exists()


def admit_agent(*, team: Team) -> None:
    """Raises TeamDegraded. One query."""
    if is_degraded(team):
        raise TeamDegraded(retry_after=degradation.RETRY_AFTER)


def limit_of(team: Team) -> int:
    """How many conversations its agents may have at once."""
    return degradation.limit_of(settings.MAX_CONCURRENT_SESSIONS, degraded=is_degraded(team))


def taken(team: Team) -> int:
    """How many they have: those that agents which are live work on, and those of groups that are at work."""
    alone = Agent.objects.visible_to(team).live().exclude(working_on=None).values("working_on").distinct().count()
    return alone + Group.objects.visible_to(team).filter(status=GroupStatus.ACTIVE).count()


def admit_group(*, team: Team) -> None:
    """Whether a group may begin; the caller holds the team's lock. Raises TeamDegraded and AllSessionsTaken."""
    admit_agent(team=team)
    limit = limit_of(team)
    if taken(team) >= limit:
        raise AllSessionsTaken(limit=limit, retry_after=degradation.RETRY_AFTER)


@atomic
def open_conversation(
    *, team: Team, name: str, epoch: int, instance: UUID, title: str = "", model: str = "", cwd: str = "", source_tool: str = ""
) -> Conversation:
    """A new conversation for an agent, which works on it from now on.

    Raises NotFound, Fenced; TeamDegraded while the team is in degradation, AllSessionsTaken at the limit.
    """
    Team.objects.select_for_update(no_key=True).get(id=team.id)  # of two at the limit one is the last
    agent = epochs.held(team=team, name=name, epoch=epoch, instance=instance)
    admit_agent(team=team)
    limit = limit_of(team)
    if taken(team) >= limit:
        raise AllSessionsTaken(limit=limit, retry_after=degradation.RETRY_AFTER)
    made = conversations.create(team=team, title=title, model=model, cwd=cwd, source_tool=source_tool)
    Agent.objects.filter(id=agent.id).update(working_on=made)
    return made
