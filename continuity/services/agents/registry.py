"""Agents of a team: registered, ready, at work, ended by their own will, removed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from continuity.agents import statuses
from continuity.agents.names import OrderStatus
from continuity.agents.statuses import LIVE, AgentStatus
from continuity.core import transactions
from continuity.core.errors import NotRunning, TooMany
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.events.policies import ReplayPolicy, is_degraded
from continuity.models import Agent, AgentInstance, AgentOrder, AttemptStatus, RecoveryAttempt, Subscription, Team
from continuity.services import agent_state
from continuity.services.agents import admission, attempts, beats, descriptions, epochs, states
from continuity.services.events import events
from continuity.services.recording import conversations
from continuity.services.subscriptions import subscriptions

MOST = 1000


@dataclass(frozen=True, slots=True)
class RegisteredAgent:
    """`new`: nobody registered this name before; `subscription_id` is that of its topics, if it has some. `probe_command` is what its file
    says, for a runner."""

    agent: Agent
    new: bool
    subscription_id: UUID | None
    probe_command: str = ""


@span("continuity.agent.register")
@atomic
def register(
    *,
    team: Team,
    name: str,
    now: datetime,
    given: Mapping[str, Any] | None = None,
    runner: str = "",
    conversation_id: UUID | None = None,
    file: str = "",
    created_by: str = "",
) -> RegisteredAgent:
    """An instance of the agent begins, and the one before is over. `given` are columns of `describing.DEFAULTS`.

    Raises Invalid, NotFound (the conversation), TooMany; TeamDegraded for a new one while the team is in degradation.
    """
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    known = Agent.objects.select_for_update(no_key=True).filter(team=team, name=name).first()
    told = descriptions.describe(name, given=given or {}, file=file, known=known)
    if known is None:
        admission.admit_agent(team=team)
        if Agent.objects.filter(team=team).count() >= MOST:
            raise TooMany(limit=MOST, noun="agents of a team", retry_after=3600)
        known, new = Agent.objects.create(team=team, name=name, status_at=now, **told.columns), True
    else:
        new = False
    working_on = conversations.get(team=team, conversation_id=conversation_id) if conversation_id else known.working_on
    known.team = team
    _overtake(known, now)
    AgentInstance.objects.filter(agent=known, ended_at=None).update(ended_at=now, reason="registered anew")
    instance = epochs.begin(known, runner=runner, expected=known.epoch)
    forgiven = known.status in (AgentStatus.FAILED, AgentStatus.STOPPED)
    also = {**told.columns, "working_on": working_on, "ready_at": None, "failures": 0 if forgiven else known.failures}
    epochs.set_status(known, AgentStatus.REGISTERED, now=now, **also)
    beats.forget([known.id])  # Those of the instance before are none of this one's.
    subscribed = _subscribe(known, told, created_by)
    payload = {"epoch": known.epoch, "instance": str(instance.id), "new": new}
    events.publish(name="agent.registered", team=team, subject_id=known.id, payload=payload, about=name)
    return RegisteredAgent(known, new, subscribed, told.probe_command)


def _overtake(agent: Agent, now: datetime) -> None:
    """Drops recovery of an earlier instance, and its backup."""
    under_way = RecoveryAttempt.objects.filter(agent=agent, status__in=attempts.UNDER_WAY)
    told = AgentOrder.objects.filter(Q(agent=agent) | Q(attempt__in=under_way), status=OrderStatus.OPEN)
    told.update(status=OrderStatus.OVERTAKEN, over_at=now)
    under_way.update(status=AttemptStatus.OVERTAKEN, over_at=now)


def _subscribe(agent: Agent, told: descriptions.AgentDescription, created_by: str) -> UUID | None:
    """The subscription of the agent's topics, under its name; its others follow its policy."""
    if told.said_replay:
        Subscription.objects.filter(team=agent.team, agent=agent.name).update(policy=agent.replay)
    if not agent.topics:
        return None
    pattern = ",".join(agent.topics)
    made, _ = subscriptions.subscribe(
        team=agent.team, name=agent.name, pattern=pattern, agent=agent.name, policy=ReplayPolicy(agent.replay), created_by=created_by
    )
    return made.id


def subscription_of(agent: Agent) -> UUID | None:
    """The subscription of the agent's topics."""
    return Subscription.objects.filter(team=agent.team, name=agent.name, agent=agent.name).values_list("id", flat=True).first()


@span("continuity.agent.ready")
@atomic
def ready(
    *,
    team: Team,
    name: str,
    epoch: int,
    instance: UUID,
    now: datetime,
    state_digest: str = "",
    replayed: int = 0,
    replay_failed: int = 0,
) -> Agent:
    """Marks an agent as ready: its state is restored and what it missed replayed, so that it may be given work. Safe to call twice.

    It is degraded where half of the replay or more failed. Raises NotFound, Fenced, NotRunning; OtherState where what it restored
    (`state_digest`) is not what is stored; Conflict and Unavailable where that can't be read.
    """
    states.check_restored(team=team, name=name, instance=instance, digest=state_digest)
    agent = epochs.lock_present(team=team, name=name, epoch=epoch, instance=instance)
    if agent.status in LIVE:
        return agent
    failed = is_degraded(replayed, replay_failed) or _replay_degraded(agent)
    after = AgentStatus.DEGRADED if failed else AgentStatus.READY
    if not statuses.may_become(agent.status, after):
        raise NotRunning(asked="made ready", agent_status=agent.status)
    _succeed(agent, now)
    AgentInstance.objects.filter(id=instance).update(ready_at=now, state_digest=state_digest)
    epochs.set_status(agent, after, now=now, ready_at=now)
    payload = {"epoch": epoch, "replayed": replayed, "replay_failed": replay_failed}
    told = "agent.degraded" if failed else "agent.ready"
    events.publish(name=told, team=team, subject_id=agent.id, payload=payload, critical=failed, about=agent.name)
    return agent


def _replay_degraded(agent: Agent) -> bool:
    return Subscription.objects.filter(team=agent.team, agent=agent.name, degraded_at__isnull=False).exists()


def _succeed(agent: Agent, now: datetime) -> None:
    """Ends its restoration, and publishes what that took."""
    attempt = RecoveryAttempt.objects.filter(agent=agent, status=AttemptStatus.RESTORING).first()
    if attempt is None:
        return
    RecoveryAttempt.objects.filter(id=attempt.id).update(status=AttemptStatus.SUCCEEDED, over_at=now)
    Agent.objects.filter(id=agent.id).update(recovered_at=now)
    begun = attempt.claimed_at or now
    payload = {
        "attempt": str(attempt.id),
        "cause": attempt.cause,
        "recovery_ms": round((now - attempt.created_at).total_seconds() * 1000, 1),
        "transition_ms": round((now - begun).total_seconds() * 1000, 1),
    }
    events.publish(name="agent.recovered", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)


@atomic
def describe(*, team: Team, name: str, epoch: int, instance: UUID, given: Mapping[str, Any], created_by: str = "") -> Agent:
    """Changes what the agent is registered with, as its own code says it; the instance goes on. Raises NotFound, Fenced, Invalid."""
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    agent = epochs.lock_present(team=team, name=name, epoch=epoch, instance=instance)
    known = {column: getattr(agent, column) for column in descriptions.DEFAULTS}  # Files were read when it was registered.
    told = replace(descriptions.describe(name, given={**known, **given}, file="", known=agent), said_replay="replay" in given)
    for column, value in told.columns.items():
        setattr(agent, column, value)
    agent.save(update_fields=list(told.columns))
    _subscribe(agent, told, created_by)
    return agent


@atomic
def works_on(*, team: Team, name: str, epoch: int, instance: UUID, conversation_id: UUID | None) -> Agent:
    """Says which conversation the agent works on. Raises NotFound (also for the conversation) and Fenced."""
    agent = epochs.lock_present(team=team, name=name, epoch=epoch, instance=instance)
    agent.working_on = conversations.get(team=team, conversation_id=conversation_id) if conversation_id else None
    agent.save(update_fields=["working_on"])
    return agent


@span("continuity.agent.stop")
@atomic
def stop(*, team: Team, name: str, epoch: int, instance: UUID, now: datetime, reason: str = "by itself") -> Agent:
    """The agent ended by its own will, or as it was told to. Raises NotFound, Fenced, NotRunning."""
    agent = epochs.lock_present(team=team, name=name, epoch=epoch, instance=instance)
    stopped(agent, now=now, reason=reason)
    return agent


def stopped(agent: Agent, *, now: datetime, reason: str) -> None:
    """The same for who holds the agent's lock. Raises NotRunning."""
    if not statuses.may_become(agent.status, AgentStatus.STOPPED):
        raise NotRunning(asked="stopped", agent_status=agent.status)
    AgentOrder.objects.filter(agent=agent, kind="stop", status=OrderStatus.OPEN).update(status=OrderStatus.DONE, over_at=now)
    _overtake(agent, now)
    epochs.end(agent, reason=reason[:40], now=now)
    epochs.set_status(agent, AgentStatus.STOPPED, now=now, reason=reason[:40])
    beats.forget([agent.id])
    events.publish(name="agent.stopped", team=agent.team, subject_id=agent.id, payload={"epoch": agent.epoch}, about=agent.name)


@atomic
def remove(*, team: Team, name: str) -> None:
    """Takes an agent out of the registry, and its state away; its subscriptions stay. Raises NotFound and Unavailable."""
    agent = epochs.lock(team=team, name=name)
    transactions.ask_now()  # Its own instance may ask for it; and neither beats nor every storage of states take back what is done to them.
    events.publish(name="agent.removed", team=team, subject_id=agent.id, payload={"epoch": agent.epoch}, about=agent.name)
    beats.forget([agent.id])
    agent_state.remove(team=team, agent=name)
    agent.delete()
