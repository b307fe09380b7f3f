"""Fencing: of all instances of an agent only the one with its present epoch may do anything.

Whoever writes for an instance holds the agent's row and compares in the same transaction; whoever begins an instance compares and swaps in
one statement. A request that only names its instance (`Continuity-Agent`) is looked at when it is let in, and compared again in each
transaction in which it writes, as its last statement: from then to the commit nobody declares it over (`NamedInstance`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import F

from continuity.agents.statuses import AgentStatus
from continuity.core import transactions
from continuity.core.errors import Fenced, NotFound, existing
from continuity.models import Agent, AgentInstance, Team
from continuity.services.recording.row_sql import columns, read

# Of one agent so many are kept.
INSTANCES = 50
_SWAP = """
UPDATE continuity_agent SET epoch = epoch + 1, instance_id = %s, runner = %s
WHERE id = %s AND epoch = %s RETURNING epoch
"""
_LOCK = f"SELECT {columns(Agent, of='agent')} FROM continuity_agent agent WHERE team_id = %s AND name = %s FOR NO KEY UPDATE"  # noqa: S608
_CURRENT = "SELECT epoch FROM continuity_agent WHERE team_id = %s AND name = %s"
_STILL = "SELECT 1 FROM continuity_agent WHERE team_id = %s AND name = %s AND epoch = %s FOR SHARE"


@dataclass(frozen=True, slots=True)
class NamedInstance:
    """The instance of an agent that a request names: while it is not the present one, nothing that the request writes is stored
    (`core.transactions`). Asked last in a transaction it costs one statement, and holds up the agent's own row for no longer than the
    commit; where the write is one statement, that asks by itself."""

    team: Team
    name: str
    epoch: int

    def look(self) -> None:
        """Whether it was the present one a moment ago. Raises NotFound and Fenced. One statement, without a lock."""
        self._compare(_CURRENT)

    def check(self) -> None:
        """Whether it is the present one until this transaction is over. Raises NotFound and Fenced. One statement."""
        self._compare(f"{_CURRENT} FOR SHARE")

    def still(self) -> tuple[str, Sequence[Any]]:
        return _STILL, [self.team.id, self.name, self.epoch]

    def _compare(self, statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, [self.team.id, self.name])
            found = cursor.fetchone()
        if found is None:
            raise NotFound(noun="agent")
        if found[0] != self.epoch:
            raise Fenced(current=found[0], given=self.epoch)


def lock(*, team: Team, name: str) -> Agent:
    """The team's agent, locked for who changes it. Raises NotFound."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [team.id, name])
        row = cursor.fetchone()
    if row is None:
        raise NotFound(noun="agent")
    found = read(Agent, row)
    found.team = team
    return found


def get(*, team: Team, name: str) -> Agent:
    """Raises NotFound, also for another team's."""
    found = existing(Agent.objects.visible_to(team).filter(name=name).first(), "agent")
    found.team = team
    return found


def lock_present(*, team: Team, name: str, epoch: int, instance: UUID) -> Agent:
    """The agent, locked, for its present instance. Raises NotFound, and Fenced for any other."""
    found = lock(team=team, name=name)
    check(found, epoch, instance)
    return found


def check(agent: Agent, epoch: int, instance: UUID) -> None:
    """Raises Fenced unless this is the present instance."""
    if epoch != agent.epoch or instance != agent.instance_id:
        raise Fenced(current=agent.epoch, given=epoch)


def begin(agent: Agent, *, runner: str, expected: int) -> AgentInstance:
    """A new instance takes the next epoch, and the one before is over from now on. Raises Fenced where the epoch is not the `expected`."""
    transactions.ask_now()  # It may be the one before that asks for this.
    instance = uuid4()
    with connection.cursor() as cursor:
        cursor.execute(_SWAP, [instance, runner, agent.id, expected])
        swapped = cursor.fetchone()
    if swapped is None:
        raise Fenced(current=Agent.objects.values_list("epoch", flat=True).get(id=agent.id), given=expected)
    agent.epoch, agent.instance_id, agent.runner = swapped[0], instance, runner
    made = AgentInstance.objects.create(id=instance, agent=agent, epoch=agent.epoch, runner=runner)
    AgentInstance.objects.filter(agent=agent, epoch__lte=agent.epoch - INSTANCES).delete()
    return made


def end(agent: Agent, *, reason: str, now: datetime) -> None:
    """Nobody may act for the agent until an instance begins; that it was ready does not count for that one. The caller holds its lock."""
    transactions.ask_now()  # It may be this one that asks for it.
    AgentInstance.objects.filter(agent=agent, ended_at=None).update(ended_at=now, reason=reason)
    Agent.objects.filter(id=agent.id).update(epoch=F("epoch") + 1, instance_id=None, ready_at=None)
    agent.epoch, agent.instance_id, agent.ready_at = agent.epoch + 1, None, None


def set_status(agent: Agent, after: AgentStatus, *, now: datetime, reason: str = "", **also: Any) -> None:
    """Stores what the agent has become, and `also` other columns. The caller holds its lock, and has seen that it may."""
    changes: Mapping[str, Any] = {"status": after, "status_at": now, "reason": reason, **also}
    for name, value in changes.items():
        setattr(agent, name, value)
    Agent.objects.filter(id=agent.id).update(**changes)
