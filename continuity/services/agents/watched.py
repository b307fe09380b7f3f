"""What the monitor reads of agents: two queries, over all teams."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from continuity.agents.statuses import LIVE, AgentStatus
from continuity.services.agents import beats
from continuity.services.agents.recovery import RUNNER_SILENT
from continuity.services.jobs import prepared

# Nobody claimed it for so long since its back-off was over: its runner is gone.
UNCLAIMED_SECONDS = 60.0
_WATCHED = """
SELECT id, team_id, status, runner, probes, epoch, reason FROM continuity_agent
WHERE status IN ('ready', 'active', 'degraded', 'recovering', 'disconnected')
"""
_RESTORING = """
SELECT attempt.id, concat(attempt.status, ' ', attempt.claimed_at), CASE
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
    """Those of one reading, by their members in the set of beats, as each look needs them."""

    def __init__(self, known: Mapping[str, WatchedAgent]) -> None:
        self.known = known
        self.live = {who: row for who, row in known.items() if row.status in LIVE}
        self.asked = frozenset(who for who, row in self.live.items() if row.probes)
        self.of_silent_runners = {who: row for who, row in known.items() if row.reason == RUNNER_SILENT}
        self.heard_of = frozenset([*self.live, *(row.runner_member for row in self.live.values() if row.runner)])
        self.recovering = any(row.status == AgentStatus.RECOVERING for row in known.values())


@dataclass(frozen=True, slots=True)
class Restoring:
    """An attempt in a `stage`, and how many seconds it may be in it."""

    attempt: UUID
    stage: str
    seconds: float


def watched() -> dict[str, WatchedAgent]:
    """Agents that have to be heard of or were, by their members in the set of beats."""
    return {row[0].hex: WatchedAgent(*row) for row in prepared.rows(_WATCHED, ())}


def restoring() -> list[Restoring]:
    return [Restoring(row[0], row[1], float(row[2])) for row in prepared.rows(_RESTORING, [UNCLAIMED_SECONDS])]
