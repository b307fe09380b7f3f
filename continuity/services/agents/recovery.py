"""The recovery of agents that failed (FR-008): they are started anew by their runner, replaced, or a person is told.

With each failure the instance is over at once, before anybody begins the next, so that one that was only late can do no harm.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from continuity.agents import statuses
from continuity.agents.statuses import LIVE, RUNS, AgentStatus
from continuity.agents.strategies import LONGEST_PAUSE, FailureCause, RecoveryAction, is_tried_again, remaining_pause
from continuity.core.errors import Fenced, NotRecovering, TooMany, existing
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.models import Agent, AgentInstance, AttemptStatus, RecoveryAttempt, Team
from continuity.services.agents import attempts, epochs, registry
from continuity.services.agents.registry import RegisteredAgent
from continuity.services.events import events

# Said of agents whose whole runner is silent, as a laptop is that sleeps: none of them failed.
RUNNER_SILENT = "runner silent"
# Status and reason of one that beats and does not answer, and that nobody starts anew.
HANGS = (AgentStatus.DISCONNECTED, FailureCause.ZOMBIE)


@dataclass(frozen=True, slots=True)
class RecoveryAnswer:
    """The answer to a runner whose agent ended: `attempt` is to be claimed after `after`, where its `action` is a restart."""

    agent: Agent
    attempt: RecoveryAttempt | None
    after: timedelta = timedelta(0)

    @property
    def action(self) -> str:
        """`restart`, `wait` where somebody else goes on, `none` where nobody does."""
        if self.attempt is None or self.attempt.status != AttemptStatus.WAITING:
            return "none"
        return "restart" if self.attempt.action == RecoveryAction.RESTART else "wait"


@span("continuity.agent.ended")
@atomic
def ended(
    *,
    team: Team,
    name: str,
    epoch: int,
    instance: UUID,
    cause: FailureCause,
    now: datetime,
    exit_code: int | None = None,
    signal: int | None = None,
) -> RecoveryAnswer:
    """The runner saw an agent's process end. One that went with exit code 0 stopped. Told twice it answers the same.

    Raises NotFound and Fenced.
    """
    agent = attempts.lock(team=team, name=name)
    if (epoch, instance) != (agent.epoch, agent.instance_id):
        return _earlier_answer(agent, epoch, instance, now)
    if cause == FailureCause.EXITED and exit_code == 0:
        registry.stopped(agent, now=now, reason=FailureCause.EXITED)
        return RecoveryAnswer(agent, None)
    attempt = attempts.fail(agent, cause, now=now, exit_code=exit_code, signal=signal)
    return _answer(agent, attempt, now)


def _earlier_answer(agent: Agent, epoch: int, instance: UUID, now: datetime) -> RecoveryAnswer:
    """The answer to the end of an instance that is over already. Raises Fenced where it ended otherwise."""
    over = AgentInstance.objects.filter(id=instance, agent=agent, epoch=epoch).first()
    if over is not None:
        known = RecoveryAttempt.objects.filter(agent=agent, ended_epoch=epoch).order_by("-created_at").first()
        if known is not None:
            return _answer(agent, known, now)
        if over.reason == FailureCause.EXITED:
            return RecoveryAnswer(agent, None)
    raise Fenced(current=agent.epoch, given=epoch)


def _answer(agent: Agent, attempt: RecoveryAttempt, now: datetime) -> RecoveryAnswer:
    return RecoveryAnswer(agent, attempt, remaining_pause(attempt.due_at, now=now))


@span("continuity.agent.claim")
@atomic
def claim(*, team: Team, name: str, attempt_id: UUID, runner: str, now: datetime) -> RegisteredAgent:
    """The next instance begins: it restores, replays, and says that it is ready, all within the agent's timeout.

    Raises NotFound; Fenced where another one was first; NotRecovering where the attempt is over; TooMany before the back-off is.
    """
    agent = epochs.lock(team=team, name=name)
    attempt = existing(
        RecoveryAttempt.objects.filter(agent=agent, id=attempt_id, action=RecoveryAction.RESTART).first(), "attempt to recover this agent"
    )
    if attempt.epoch != agent.epoch:
        raise Fenced(current=agent.epoch, given=attempt.epoch)
    if attempt.status != AttemptStatus.WAITING:
        raise NotRecovering(agent_status=agent.status)
    left = (attempt.due_at - now).total_seconds()
    if 0 < left <= LONGEST_PAUSE:
        wait = max(1, math.ceil(left))
        raise TooMany(f"It failed a moment ago: it is started again in {wait} s.", retry_after=wait)
    instance = epochs.begin(agent, runner=runner, expected=attempt.epoch)
    RecoveryAttempt.objects.filter(id=attempt.id).update(status=AttemptStatus.RESTORING, claimed_at=now)
    attempts.close_orders(attempt, now=now)
    payload = {"epoch": agent.epoch, "instance": str(instance.id), "attempt": str(attempt.id)}
    events.publish(name="agent.restarting", team=team, subject_id=agent.id, payload=payload, about=name)
    return RegisteredAgent(agent, False, registry.subscription_of(agent))


@span("continuity.agent.lost")
@atomic
def lost(
    *, agent_id: UUID, epoch: int, alone: bool, detection_ms: float, now: datetime, timely: Callable[[], bool] = lambda: True
) -> RecoveryAttempt | None:
    """An agent was not heard of in time. `alone`: its runner was, or it has none, so that it failed; else the whole runner is silent, which
    may be a laptop that sleeps, and the agent is only not there.

    `timely` says, once its row is held, whether the silence may still be told from one of ours. Nothing happens where the agent was heard
    of or ended in between.
    """
    agent = attempts.lock_by_id(agent_id)
    if agent is None or agent.epoch != epoch or agent.status not in RUNS or not timely():
        return None
    beat_at = now - timedelta(milliseconds=detection_ms)
    before = agent.status
    reason = FailureCause.LOST.value if alone else RUNNER_SILENT
    epochs.set_status(agent, AgentStatus.DISCONNECTED, now=now, reason=reason, status_before=before, beat_at=beat_at)
    payload = {"epoch": epoch, "reason": reason, "detection_ms": round(detection_ms, 1)}
    events.publish(name="agent.disconnected", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)
    return attempts.fail(agent, FailureCause.LOST, now=now, detection_ms=detection_ms) if alone else None


@span("continuity.agent.gone")
@atomic
def runner_lost(*, agent_id: UUID, epoch: int, now: datetime, timely: Callable[[], bool] = lambda: True) -> RecoveryAttempt | None:
    """Begin the recovery of an agent whose runner has been silent for too long: a backup takes over, or a person is told."""
    agent = attempts.lock_by_id(agent_id)
    if agent is None or agent.epoch != epoch or agent.status != AgentStatus.DISCONNECTED or agent.reason != RUNNER_SILENT or not timely():
        return None
    return attempts.fail(agent, FailureCause.RUNNER_GONE, now=now)


@span("continuity.agent.zombie")
@atomic
def zombie(*, agent_id: UUID, epoch: int, now: datetime, timely: Callable[[], bool] = lambda: True) -> RecoveryAttempt | None:
    """An agent beats and does not answer (FR-009): its runner is to kill and restart it. Where a person is only told, it stays the present
    instance, and is taken back by its next answer."""
    agent = attempts.lock_by_id(agent_id)
    if agent is None or agent.epoch != epoch or agent.status not in LIVE or not timely():
        return None
    return attempts.fail(agent, FailureCause.ZOMBIE, now=now)


@span("continuity.agent.answered")
@atomic
def answered(*, agent_id: UUID, epoch: int, now: datetime) -> bool:
    """An agent that hung, and of which a person was only told, answers again: it is taken back. Whether it was."""
    agent = attempts.lock_by_id(agent_id)
    if agent is None or agent.epoch != epoch or (agent.status, agent.reason) != HANGS:
        return False
    after = statuses.status_when_back(agent.status_before, working=None)
    epochs.set_status(agent, after, now=now)
    payload = {"epoch": epoch, "status": after.value}
    events.publish(name="agent.returned", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)
    return True


@span("continuity.agent.timed_out")
@atomic
def timed_out(*, attempt_id: UUID, now: datetime, timely: Callable[[], bool] = lambda: True) -> bool:
    """A restoration took longer than it may in all, or nobody began it: the agent failed and waits for a person (FR-009a)."""
    attempt = RecoveryAttempt.objects.filter(id=attempt_id).first()
    agent = attempts.lock_by_id(attempt.agent_id) if attempt else None
    if attempt is None or agent is None or agent.status != AgentStatus.RECOVERING or not timely():
        return False
    if not RecoveryAttempt.objects.filter(id=attempt_id, status__in=attempts.UNDER_WAY).exists():
        return False
    attempts.give_up(agent, attempt, reason=FailureCause.TIMED_OUT, now=now)
    return True


@span("continuity.agent.never_ready")
@atomic
def never_ready(*, agent_id: UUID, epoch: int, now: datetime, timely: Callable[[], bool] = lambda: True) -> RecoveryAttempt | None:
    """An agent registered and was not ready within the time that a restoration may take: it failed and waits for a person (FR-009a)."""
    agent = attempts.lock_by_id(agent_id)
    if agent is None or agent.epoch != epoch or agent.status != AgentStatus.REGISTERED or not timely():
        return None
    return attempts.never_ready(agent, now=now)


@span("continuity.agent.try_again")
@atomic
def try_again(*, agent_id: UUID, now: datetime) -> RecoveryAttempt | None:
    """One more attempt for an agent that gave up, as a team in degradation makes every minute (FR-010a)."""
    agent = attempts.lock_by_id(agent_id)
    if agent is None or agent.status != AgentStatus.FAILED or not agent.runner:
        return None
    if not is_tried_again(strategy=agent.strategy, reason=agent.reason):
        return None
    return attempts.restart(agent, now=now, asked_by="")
