"""A backup goes on where an agent failed: with the briefing of its conversation, and with its subscriptions.

Whoever knows handoffs hears `agent.replacement_wanted`, prepares the briefing, and calls `take_over`.
"""

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from continuity.agents import statuses
from continuity.agents.names import OrderKind
from continuity.agents.statuses import LIVE, AgentStatus
from continuity.agents.strategies import RecoveryAction
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.models import Agent, AgentOrder, AttemptStatus, Delivery, RecoveryAttempt, Subscription
from continuity.services.agents import attempts, epochs
from continuity.services.events import events


def pending_attempt(attempt_id: UUID) -> RecoveryAttempt | None:
    """An attempt that still waits for its backup; None where it is over, or the backup was told already."""
    told = AgentOrder.objects.filter(attempt=OuterRef("id"), kind=OrderKind.RESUME)
    waiting = RecoveryAttempt.objects.filter(~Exists(told), id=attempt_id, action=RecoveryAction.REPLACE, status=AttemptStatus.WAITING)
    return waiting.select_related("team").first()


def unannounced(*, size: int = 50) -> list[UUID]:
    """Attempts whose backup was not told yet, the oldest first."""
    waiting = RecoveryAttempt.objects.filter(action=RecoveryAction.REPLACE, status=AttemptStatus.WAITING, claimed_at=None)
    return list(waiting.order_by("created_at").values_list("id", flat=True)[:size])


@span("continuity.agent.take_over")
@atomic
def take_over(*, attempt: RecoveryAttempt, conversation_id: UUID | None, handoff_id: UUID | None, now: datetime) -> AgentOrder | None:
    """The backup is told to go on, in `conversation_id`, with the briefing of `handoff_id`; both None where the agent worked on nothing.

    Its subscriptions are the backup's from now on: what they held comes again at once, and who held them is fenced off. Safe to call
    twice; None where the attempt is over. Where the backup is not there any more the agent failed.
    """
    locked = Agent.objects.select_for_update(no_key=True).filter(id__in=[attempt.agent_id, attempt.backup_id]).order_by("id")
    found = {each.id: each for each in locked}
    agent, backup = found.get(attempt.agent_id), found.get(attempt.backup_id) if attempt.backup_id else None
    if agent is None or agent.epoch != attempt.epoch or pending_attempt(attempt.id) is None:
        return None
    agent.team = attempt.team
    if backup is None or backup.status not in LIVE:
        attempts.give_up(agent, attempt, reason="backup gone", now=now)
        return None
    taken = _subscriptions(agent, backup, now)
    if conversation_id is not None:
        Agent.objects.filter(id=backup.id).update(working_on=conversation_id)
    RecoveryAttempt.objects.filter(id=attempt.id).update(handoff_id=handoff_id, claimed_at=now)
    details = {
        "from_agent": agent.name,
        "conversation_id": str(conversation_id) if conversation_id else None,
        "handoff_id": str(handoff_id) if handoff_id else None,
        "subscriptions": [str(each) for each in taken],
    }
    order = AgentOrder.objects.create(agent=backup, kind=OrderKind.RESUME, attempt=attempt, details=details)
    payload = {"attempt": str(attempt.id), "backup": str(backup.id), "subscriptions": len(taken), "handoff_id": details["handoff_id"]}
    events.publish(name="agent.handed_over", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)
    return order


def _subscriptions(agent: Agent, backup: Agent, now: datetime) -> list[UUID]:
    rows = Subscription.objects.select_for_update().filter(team=agent.team, agent=agent.name).order_by("id")
    taken = [row.id for row in rows]
    Subscription.objects.filter(id__in=taken).update(agent=backup.name, epoch=F("epoch") + 1)
    Delivery.objects.filter(subscription_id__in=taken).update(due_at=now)
    return taken


@atomic
def impossible(*, attempt_id: UUID, error: str, handoff_id: UUID | None, now: datetime) -> None:
    """The backup has nothing to go on from: a person is told, and shown the package that was kept, if there is one."""
    agent = attempts.lock_of(attempt_id)
    attempt = pending_attempt(attempt_id) if agent else None
    if attempt is not None and agent is not None and agent.epoch == attempt.epoch:
        RecoveryAttempt.objects.filter(id=attempt.id).update(handoff_id=handoff_id)
        attempts.give_up(agent, attempt, reason=error[:40], now=now)


@atomic
def go_on(*, attempt_id: UUID, now: datetime) -> None:
    """A person approved the package that an attempt was given up for: its backup is to go on from it.

    Nothing happens where the agent went on otherwise, or where its backup is not there any more.
    """
    agent = attempts.lock_of(attempt_id)
    if agent is None or agent.status != AgentStatus.FAILED:
        return
    newest = RecoveryAttempt.objects.filter(agent=agent).order_by("-created_at").select_related("backup").first()
    if newest is None or newest.id != attempt_id or newest.action != RecoveryAction.REPLACE:
        return
    name = newest.backup.name if newest.backup else agent.backup
    attempts.replace(agent, backup=name, now=now, asked_by="review", handoff_id=attempt_id)


def answered(order: AgentOrder, *, done: bool, now: datetime) -> None:
    """The backup works on it, or could not. The caller holds the team, the backup and the order."""
    if order.attempt_id is None:
        return
    agent = attempts.lock_of(order.attempt_id)
    attempt = RecoveryAttempt.objects.filter(id=order.attempt_id, status=AttemptStatus.WAITING).first()
    if attempt is None or agent is None:
        return
    if not done:
        attempts.give_up(agent, attempt, reason="backup failed", now=now)
        return
    RecoveryAttempt.objects.filter(id=attempt.id).update(status=AttemptStatus.SUCCEEDED, over_at=now)
    if statuses.may_become(agent.status, AgentStatus.STOPPED):
        epochs.set_status(agent, AgentStatus.STOPPED, now=now, reason="replaced", recovered_at=now)
    taken = round((now - attempt.created_at).total_seconds() * 1000, 1)
    payload = {"attempt": str(attempt.id), "cause": attempt.cause, "recovery_ms": taken, "transition_ms": taken}
    events.publish(name="agent.replaced", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)
