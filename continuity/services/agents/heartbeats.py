"""Taking beats (FR-006): noted in Valkey; the store is only read, and written where an agent's status changes.

The answer to a beat carries what the agent is to do.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from continuity.agents import statuses
from continuity.agents.statuses import AgentStatus
from continuity.core.errors import Fenced, KeyRefused, Unavailable
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.models import Agent, AgentOrder, ApiKey, Conversation, Team
from continuity.services.accounts import known_keys
from continuity.services.agents import beats, epochs, orders, recovery, usage
from continuity.services.agents.beats import Beat
from continuity.services.agents.usage import ResourceUsage
from continuity.services.events import events
from continuity.services.jobs import prepared

AT_ONCE = 200
OK, OVER, FENCED, UNKNOWN = "ok", "over", "fenced", "unknown"
# With these results goes what the agent is to do.
TOLD = (OK, OVER)
# For these the runner still asks, though no instance of the agent runs: it may be told to begin one.
_WAITING = frozenset({AgentStatus.RECOVERING, AgentStatus.FAILED})
_READ = """
SELECT name, id, epoch, instance_id, status, reason, runner, probes, working_on_id,
    EXISTS (SELECT FROM continuity_agentorder given WHERE given.agent_id = agent.id AND given.status = 'open')
FROM continuity_agent agent WHERE team_id = %s AND name = ANY(%s)
"""


class ReportedBeat(NamedTuple):
    """`working`: whether it has work, None where nobody says; `probe` and `probe_ok` answer a probe; `used` is what its processes use."""

    agent: str
    epoch: int
    instance: UUID
    working: bool | None = None
    conversation_id: UUID | None = None
    probe: str = ""
    probe_ok: bool = True
    used: ResourceUsage | None = None


class BeatAnswer(NamedTuple):
    """`result`: ok; `over` where no instance runs and the runner is to wait for orders; fenced; unknown."""

    agent: str
    result: str
    status: str | None = None
    epoch: int | None = None
    orders: Sequence[Mapping[str, Any]] = ()


class _Row(NamedTuple):
    name: str
    id: UUID
    epoch: int
    instance_id: UUID | None
    status: str
    reason: str
    runner: str
    probes: bool
    working_on_id: UUID | None
    has_orders: bool

    def result(self, beat: ReportedBeat, runner: str) -> str:
        if beat.epoch == self.epoch and beat.instance == self.instance_id:
            return OK
        waits = self.instance_id is None and self.status in _WAITING and runner and runner == self.runner
        return OVER if waits else FENCED


@span("continuity.agent.beat")
def hear(*, team: Team, runner: str, given: Sequence[ReportedBeat], now: datetime, presumed: ApiKey | None = None) -> list[BeatAnswer]:
    """Takes the beats of a runner and answers each. Raises Fenced where all of them are from instances that are over, Unavailable where
    nobody could keep them. One query and one command, where nothing changes.

    `presumed` is a key that is only read with the agents whether it still holds: nothing is taken, and KeyRefused raised, where it does
    not, or where there is none of these agents."""
    condition, asked = known_keys.still(presumed, now) if presumed else ("SELECT", [])
    found = prepared.rows(f"{_READ} AND EXISTS ({condition})", [team.id, list({beat.agent for beat in given}), *asked])
    rows = {row[0]: _Row._make(row) for row in found}
    if presumed and not rows:
        raise KeyRefused
    judged = [(beat, row, row.result(beat, runner) if row else UNKNOWN) for beat in given for row in [rows.get(beat.agent)]]
    if all(result == FENCED for _, _, result in judged):
        raise Fenced(current=rows[given[0].agent].epoch, given=given[0].epoch)
    heard = list({row.name: (beat, row) for beat, row, result in judged if row and result == OK}.values())
    probes = _note(team, runner, heard, now)
    changed = {row.name: _change(team=team, beat=beat, now=now) for beat, row in heard if _changes(beat, row)}
    waiting = orders.open_of([row.id for _, row, result in judged if row and row.has_orders and result in TOLD])
    return [_answer(beat.agent, row, result, changed, waiting, probes, now) for beat, row, result in judged]


def _note(team: Team, runner: str, heard: Sequence[tuple[ReportedBeat, _Row]], now: datetime) -> Mapping[UUID, str]:
    now_ms = int(now.timestamp() * 1000)
    noted = [
        Beat(
            row.id,
            row.probes,
            beats.answer_of(beat.probe, ok=beat.probe_ok) if beat.probe else "",
            usage.stored_usage(beat.used, now_ms=now_ms) if beat.used else "",
        )
        for beat, row in heard
    ]
    probes = beats.take(noted, runner=beats.runner_member(team.id, runner), now_ms=now_ms)
    if probes is None:
        raise Unavailable(retry_after=max(1, settings.HEARTBEAT_INTERVAL_MS // 1000))
    return probes


def _answer(
    name: str,
    row: _Row | None,
    result: str,
    changed: Mapping[str, str],
    waiting: Mapping[UUID, Sequence[AgentOrder]],
    probes: Mapping[UUID, str],
    now: datetime,
) -> BeatAnswer:
    if row is None:
        return BeatAnswer(name, result)
    told = [orders.order_json(order, now) for order in waiting.get(row.id, ())] if waiting and result in TOLD else []
    if probes and result == OK and (probe := probes.get(row.id)):
        told.append(orders.probe_json(probe))
    return BeatAnswer(name, result, changed.get(row.name, row.status), row.epoch, told)


def _changes(beat: ReportedBeat, row: _Row) -> bool:
    """Whether the store is to be written: the agent, or what it works on, is something else than before."""
    moved = beat.conversation_id is not None and beat.conversation_id != row.working_on_id
    return moved or _is_back(row) or (beat.working is not None and statuses.with_work(row.status, working=beat.working) != row.status)


def _is_back(known: "_Row | Agent") -> bool:
    """Whether a beat takes the agent up again. One that hung beats all the time: it is back when it answers."""
    hangs = known.probes and (known.status, known.reason) == recovery.HANGS
    return known.status == AgentStatus.DISCONNECTED and not hangs


@atomic
def _change(*, team: Team, beat: ReportedBeat, now: datetime) -> str:
    agent = Agent.objects.select_for_update(no_key=True).filter(team=team, name=beat.agent, epoch=beat.epoch).first()
    if agent is None:
        return AgentStatus.STOPPED  # it was declared over in this moment: the next beat is told
    agent.team = team
    wanted = beat.conversation_id
    if wanted is not None and wanted != agent.working_on_id and Conversation.objects.filter(team=team, id=wanted).exists():
        Agent.objects.filter(id=agent.id).update(working_on=wanted)
    returned = _is_back(agent)
    after = (
        statuses.status_when_back(agent.status_before, working=beat.working)
        if returned
        else statuses.with_work(agent.status, working=beat.working)
    )
    if after != agent.status and statuses.may_become(agent.status, after):
        epochs.set_status(agent, after, now=now)
        name = "agent.returned" if returned else f"agent.{after.value}"
        events.publish(name=name, team=team, subject_id=agent.id, payload={"epoch": agent.epoch, "status": after.value}, about=agent.name)
    return agent.status
