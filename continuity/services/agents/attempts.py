"""One failure, and what follows from it, in the transaction in which it is known. Callers hold the locks that `lock` takes."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from continuity.agents.names import OrderStatus
from continuity.agents.statuses import RUNS, AgentStatus
from continuity.agents.strategies import MAY_RETURN, FailureCause, RecoveryAction, RecoveryChoice, choose, failures_now
from continuity.models import Agent, AgentOrder, AttemptStatus, RecoveryAttempt, Team
from continuity.services.agents import beats, epochs, incidents
from continuity.services.agents.attempt_events import publish_attempt, publish_failed

UNDER_WAY = (AttemptStatus.WAITING, AttemptStatus.RESTORING)


def lock(*, team: Team, name: str) -> Agent:
    """The team first, so that of failures at the same moment each sees those before it; then the agent. Raises NotFound."""
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    return epochs.lock(team=team, name=name)


def lock_by_id(agent_id: UUID) -> Agent | None:
    team_id = Agent.objects.filter(id=agent_id).values_list("team_id", flat=True).first()
    if team_id is None:
        return None
    team = Team.objects.select_for_update(no_key=True).get(id=team_id)
    found = Agent.objects.select_for_update(no_key=True).filter(id=agent_id).first()
    if found is not None:
        found.team = team
    return found


def lock_of(attempt_id: UUID) -> Agent | None:
    """The agent of an attempt, as `lock_by_id` does."""
    agent_id = RecoveryAttempt.objects.filter(id=attempt_id).values_list("agent_id", flat=True).first()
    return lock_by_id(agent_id) if agent_id is not None else None


def fail(agent: Agent, cause: FailureCause, *, now: datetime, **known: Any) -> RecoveryAttempt:
    """An instance failed: it is over, unless it may still come back by itself. `known` are columns of the attempt."""
    window = timedelta(seconds=agent.window_seconds)
    failures = failures_now(before=agent.failures, ready_at=agent.ready_at, now=now, window=window)
    backup = _backup(agent, agent.backup)
    choice = choose(
        strategy=agent.strategy,
        failures=failures,
        threshold=agent.threshold,
        has_runner=bool(agent.runner) and cause != FailureCause.RUNNER_GONE,
        backup_is_there=backup is not None,
    )
    attempt = _record(agent, cause, choice, backup=backup, failures=failures, now=now, **known)
    incidents.note(team=agent.team, now=now)
    return attempt


def never_ready(agent: Agent, *, now: datetime) -> RecoveryAttempt:
    """An instance that registered was not ready in time: it is over, and a person is told, whatever the strategy."""
    choice = RecoveryChoice(RecoveryAction.GIVE_UP)
    attempt = _record(agent, FailureCause.TIMED_OUT, choice, backup=None, failures=agent.failures + 1, now=now)
    incidents.note(team=agent.team, now=now)
    return attempt


def restart(agent: Agent, *, now: datetime, asked_by: str) -> RecoveryAttempt:
    """A person wants it started anew, or a team in degradation tries once more: that is no failure."""
    failures = 0 if asked_by else agent.failures
    return _record(
        agent, FailureCause.ORDERED, RecoveryChoice(RecoveryAction.RESTART), backup=None, failures=failures, now=now, by=asked_by
    )


def replace(agent: Agent, *, backup: str, now: datetime, asked_by: str, handoff_id: UUID | None = None) -> RecoveryAttempt | None:
    """A person wants another one to go on, from `handoff_id` where that is known; None where that one is not there."""
    other = _backup(agent, backup)
    if other is None:
        return None
    choice = RecoveryChoice(RecoveryAction.REPLACE)
    return _record(agent, FailureCause.ORDERED, choice, backup=other, failures=agent.failures, now=now, by=asked_by, handoff_id=handoff_id)


def give_up(agent: Agent, attempt: RecoveryAttempt, *, reason: str, now: datetime) -> None:
    """Nobody tries any more by himself: a person is told, and until then no instance of it may do anything."""
    RecoveryAttempt.objects.filter(id=attempt.id).update(status=AttemptStatus.FAILED, over_at=now, error=reason)
    close_orders(attempt, now=now, status=OrderStatus.OVERTAKEN)
    epochs.end(agent, reason=reason, now=now)
    epochs.set_status(agent, AgentStatus.FAILED, now=now, reason=reason)
    publish_failed(agent, attempt)


def close_orders(attempt: RecoveryAttempt, *, now: datetime, status: OrderStatus = OrderStatus.DONE) -> None:
    AgentOrder.objects.filter(attempt=attempt, status=OrderStatus.OPEN).update(status=status, over_at=now)


def _backup(agent: Agent, name: str) -> Agent | None:
    """The one that would go on, where it is there."""
    return Agent.objects.visible_to(agent.team).live().filter(name=name).exclude(id=agent.id).first() if name else None


def _record(
    agent: Agent,
    cause: FailureCause,
    choice: RecoveryChoice,
    *,
    backup: Agent | None,
    failures: int,
    now: datetime,
    by: str = "",
    **known: Any,
) -> RecoveryAttempt:
    ended_epoch = agent.epoch
    for before in RecoveryAttempt.objects.filter(agent=agent, status__in=UNDER_WAY):
        RecoveryAttempt.objects.filter(id=before.id).update(status=AttemptStatus.FAILED, over_at=now, error=cause)
        close_orders(before, now=now, status=OrderStatus.OVERTAKEN)
    may_return = choice.action == RecoveryAction.ALERT and cause in MAY_RETURN
    if not may_return:
        epochs.end(agent, reason=cause, now=now)
        beats.forget([agent.id])
    attempt = RecoveryAttempt.objects.create(
        agent=agent,
        team=agent.team,
        cause=cause,
        action=choice.action,
        status=AttemptStatus.TOLD if choice.action in (RecoveryAction.ALERT, RecoveryAction.GIVE_UP) else AttemptStatus.WAITING,
        failures=failures,
        ended_epoch=ended_epoch,
        epoch=agent.epoch,
        due_at=now + choice.after,
        created_at=now,
        backup=backup,
        conversation_id=agent.working_on_id,
        **known,
    )
    after = {RecoveryAction.RESTART: AgentStatus.RECOVERING, RecoveryAction.REPLACE: AgentStatus.RECOVERING}.get(
        choice.action, AgentStatus.DISCONNECTED if may_return else AgentStatus.FAILED
    )
    before_loss = {"status_before": agent.status} if agent.status in RUNS else {}
    epochs.set_status(agent, after, now=now, reason=cause, failures=failures, **before_loss)
    publish_attempt(agent, attempt, by)
    return attempt
