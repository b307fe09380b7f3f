"""The monitor's reads of agents: two queries, over all teams."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from continuity.agents.statuses import LIVE, AgentStatus
from continuity.services.agents import beats
from continuity.services.agents.recovery import HANGS, RUNNER_SILENT
from continuity.services.jobs import prepared

# Nobody claimed it for so long since its back-off was over: its runner is gone.
UNCLAIMED_SECONDS = 60.0
_WATCHED = """
SELECT id, team_id, status, runner, probes, epoch, reason FROM continuity_agent
WHERE status IN ('registered', 'ready', 'active', 'degraded', 'recovering', 'disconnected')
"""
_BEGINNING = """
SELECT id, NULL, epoch, concat('registered ', epoch), timeout_seconds FROM continuity_agent WHERE status = 'registered'
UNION ALL
SELECT agent.id, attempt.id, agent.epoch, concat(attempt.id, ' ', attempt.status, ' ', attempt.claimed_at), CASE
    WHEN attempt.status = 'restoring' OR attempt.claimed_at IS NOT NULL THEN agent.timeout_seconds
    ELSE %s + greatest(0, extract(epoch FROM attempt.due_at - attempt.created_at)) END
FROM continuity_recoveryattempt attempt JOIN continuity_agent agent ON agent.id = attempt.agent_id
WHERE agent.status = 'recovering' AND attempt.status IN ('waiting', 'restoring')
"""


@dataclass(frozen=True, slots=True)
class WatchedAgent:
    id: UUID
    team_id: UUID
    status: str
    runner: str
    probes: bool
    epoch: int
    reason: str

    @property
    def runner_member(self) -> str:
        return beats.runner_member(self.team_id, self.runner)


class WatchedAgents:
    """The agents of one reading, by their members in the set of beats, as each look needs them.

    `beating` are those (with their epochs) that are not ready yet and have beaten: from then on they are waited for. One that only
    registers and beats once it is ready is not.
    """

    def __init__(self, known: Mapping[str, WatchedAgent], beating: Collection[tuple[str, int]] = ()) -> None:
        self.known = known
        self._registered = {who: row.epoch for who, row in known.items() if row.status == AgentStatus.REGISTERED}
        self.beating = self._registered.items() & beating
        begun = {who for who, _ in self.beating}
        self.expected = {who: row for who, row in known.items() if row.status in LIVE or who in begun}
        self.hanging = {who: row for who, row in known.items() if (row.status, row.reason) == HANGS}
        self.asked = frozenset(who for who, row in known.items() if row.probes and (row.status in LIVE or who in self.hanging))
        self.of_silent_runners = {who: row for who, row in known.items() if row.reason == RUNNER_SILENT}
        self.heard_of = frozenset([*self.expected, *(row.runner_member for row in self.expected.values() if row.runner)])
        self.beginning = any(row.status in (AgentStatus.REGISTERED, AgentStatus.RECOVERING) for row in known.values())

    def hearing(self, members: Collection[str]) -> "WatchedAgents":
        """The same, once these were heard of."""
        fresh = {(who, epoch) for who, epoch in self._registered.items() if who in members} - self.beating
        return WatchedAgents(self.known, self.beating | fresh) if fresh else self


@dataclass(frozen=True, slots=True)
class Beginning:
    """An instance that is not ready yet, in a `stage`, and how many seconds it may be in it; `attempt` is the one to recover the agent, if
    there is one."""

    agent: UUID
    attempt: UUID | None
    epoch: int
    stage: str
    seconds: float


def watched() -> dict[str, WatchedAgent]:
    """Agents that have to be heard of or were, by their members in the set of beats."""
    return {row[0].hex: WatchedAgent(*row) for row in prepared.rows(_WATCHED, ())}


def beginning() -> list[Beginning]:
    """Agents that registered, and attempts to recover one: none of them is ready yet."""
    rows = prepared.rows(_BEGINNING, [UNCLAIMED_SECONDS])
    return [Beginning(agent, attempt, epoch, stage, float(seconds)) for agent, attempt, epoch, stage, seconds in rows]
