"""Orders and events of one failure, in the caller's transaction."""

from typing import Any

from continuity.agents.names import OrderKind
from continuity.agents.statuses import AgentStatus
from continuity.agents.strategies import RecoveryAction
from continuity.models import Agent, AgentOrder, RecoveryAttempt
from continuity.services.events import events


def publish_attempt(agent: Agent, attempt: RecoveryAttempt, by: str) -> None:
    if attempt.action == RecoveryAction.RESTART:
        details = {"epoch": attempt.ended_epoch}
        AgentOrder.objects.create(agent=agent, kind=OrderKind.RESTART, attempt=attempt, details=details, asked_by=by)
    if agent.status == AgentStatus.FAILED:
        publish_failed(agent, attempt)
        return
    payload = _payload(attempt)
    if agent.status == AgentStatus.DISCONNECTED:
        events.publish(name="agent.lost", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)
        return
    events.publish(name="agent.recovering", team=agent.team, subject_id=agent.id, payload=payload, about=agent.name)
    if attempt.action == RecoveryAction.REPLACE:
        wanted = {"attempt": str(attempt.id)}
        events.publish(name="agent.replacement_wanted", team=agent.team, subject_id=agent.id, payload=wanted, about=agent.name)


def publish_failed(agent: Agent, attempt: RecoveryAttempt) -> None:
    payload = _payload(attempt) | {"reason": agent.reason}
    events.publish(name="agent.failed", team=agent.team, subject_id=agent.id, payload=payload, critical=True, about=agent.name)


def _payload(attempt: RecoveryAttempt) -> dict[str, Any]:
    return {
        "attempt": str(attempt.id),
        "cause": attempt.cause,
        "action": attempt.action,
        "failures": attempt.failures,
        "epoch": attempt.ended_epoch,
    }
