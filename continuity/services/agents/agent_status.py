"""How a team's agents stand, for who looks at them: two queries and one command, however many there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Case, IntegerField, Value, When

from continuity.agents.statuses import AgentStatus
from continuity.models import Agent, AgentInstance, AgentOrder, RecoveryAttempt, Team
from continuity.services.agents import beats

SHOWN = 200
LATEST = 20
# Who needs somebody comes first.
_RANKS = {
    AgentStatus.FAILED: 0,
    AgentStatus.DISCONNECTED: 1,
    AgentStatus.RECOVERING: 2,
    AgentStatus.DEGRADED: 3,
    AgentStatus.STOPPED: 5,
}


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """An agent, and the times of its last beats in milliseconds, the latest first."""

    agent: Agent
    beats: Sequence[int]

    @property
    def beat_at(self) -> datetime | None:
        """Its last beat: as Valkey knows it, else as it was stored when it fell silent."""
        return datetime.fromtimestamp(self.beats[0] / 1000, UTC) if self.beats else self.agent.beat_at


@dataclass(frozen=True, slots=True)
class AgentHistory:
    """Recent events of an agent, the latest first."""

    attempts: Sequence[RecoveryAttempt]
    instances: Sequence[AgentInstance]
    orders: Sequence[AgentOrder]


def of_team(team: Team) -> tuple[Sequence[AgentSummary], bool]:
    """The team's agents, those that need somebody first, then by name: at most 200, and whether there are more."""
    rank = Case(
        *(When(status=status, then=Value(number)) for status, number in _RANKS.items()), default=Value(4), output_field=IntegerField()
    )
    rows = Agent.objects.visible_to(team).select_related("working_on").defer("config", "working_on__metadata")
    found = list(rows.order_by(rank, "name")[: SHOWN + 1])
    return _with_beats(found[:SHOWN]), len(found) > SHOWN


def of_agent(agent: Agent) -> AgentSummary:
    return _with_beats([agent])[0]


def history(agent: Agent) -> AgentHistory:
    """Three queries."""
    return AgentHistory(
        list(RecoveryAttempt.objects.filter(agent=agent).select_related("backup").order_by("-created_at")[:LATEST]),
        list(AgentInstance.objects.filter(agent=agent).order_by("-epoch")[:LATEST]),
        list(AgentOrder.objects.filter(agent=agent).order_by("-created_at")[:LATEST]),
    )


def _with_beats(rows: Sequence[Agent]) -> Sequence[AgentSummary]:
    found = beats.strips([row.id for row in rows])
    return [AgentSummary(row, found.get(row.id, [])) for row in rows]
