"""Agents that go on without knowing all that they missed."""

from datetime import datetime
from uuid import UUID

from continuity.agents.statuses import LIVE, AgentStatus
from continuity.core.transactions import atomic
from continuity.models import Agent, Subscription
from continuity.services.agents import epochs
from continuity.services.events import events


@atomic
def degrade(*, subscription_id: UUID, now: datetime) -> bool:
    """The agent of a subscription whose replay failed is degraded, where it runs. Safe to call twice. Whether it changed."""
    subscription = Subscription.objects.select_related("team").filter(id=subscription_id).exclude(agent="").first()
    if subscription is None:
        return False
    agent = Agent.objects.select_for_update(no_key=True).filter(team=subscription.team, name=subscription.agent).first()
    if agent is None or agent.status not in LIVE - {AgentStatus.DEGRADED}:
        return False
    epochs.set_status(agent, AgentStatus.DEGRADED, now=now, reason="replay failed")
    payload = {"epoch": agent.epoch, "replayed": subscription.replayed, "replay_failed": subscription.replay_failed}
    events.publish(name="agent.degraded", team=subscription.team, subject_id=agent.id, payload=payload, critical=True, about=agent.name)
    return True
