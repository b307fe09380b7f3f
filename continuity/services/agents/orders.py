"""Orders: what people want of agents, and what agents say of what they were told."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from continuity.agents import strategies
from continuity.agents.names import OrderKind, OrderStatus
from continuity.agents.statuses import LIVE, RUNS, AgentStatus
from continuity.core.errors import Invalid, NotRunning, existing
from continuity.core.transactions import atomic
from continuity.models import Agent, AgentOrder, Team
from continuity.services.agents import attempts, epochs, registry, replacement
from continuity.services.events import events

SHOWN = 100
ASKABLE = frozenset({OrderKind.RESTART, OrderKind.STOP, OrderKind.REPLACE, OrderKind.SAVE_STATE})
_RESTARTABLE = RUNS | {AgentStatus.DISCONNECTED, AgentStatus.RECOVERING, AgentStatus.FAILED}


@atomic
def give(*, team: Team, name: str, kind: OrderKind, by: str, now: datetime, backup: str = "") -> AgentOrder:
    """A person wants an agent restarted, stopped, replaced, or its state saved; its runner hears of it with its next beat.

    Raises NotFound; Invalid where nobody is there to replace it; NotRunning where it is not in a state for that.
    """
    agent = attempts.lock(team=team, name=name)
    if kind not in ASKABLE:
        raise Invalid(f"People order {', '.join(sorted(ASKABLE))}.", field="kind")
    payload = {"kind": kind, "epoch": agent.epoch}
    events.publish(name="agent.ordered", team=team, subject_id=agent.id, payload=payload, about=name)
    return _GIVE[kind](agent, by, now, backup)


def _restart(agent: Agent, by: str, now: datetime, backup: str) -> AgentOrder:
    if not agent.runner or agent.status not in _RESTARTABLE:
        raise NotRunning(asked="restarted", agent_status=agent.status if agent.runner else "run by itself, without a runner")
    attempt = attempts.restart(agent, now=now, asked_by=by)
    return AgentOrder.objects.get(attempt=attempt, kind=OrderKind.RESTART)


def _stop(agent: Agent, by: str, now: datetime, backup: str) -> AgentOrder:
    if agent.status == AgentStatus.STOPPED:
        raise NotRunning(asked="stopped", agent_status=agent.status)
    order = AgentOrder.objects.create(agent=agent, kind=OrderKind.STOP, asked_by=by)
    if agent.instance_id is None:
        registry.stopped(agent, now=now, reason="ordered")  # nobody runs who could be told
        order.refresh_from_db()
    return order


def _save(agent: Agent, by: str, now: datetime, backup: str) -> AgentOrder:
    if agent.status not in LIVE:
        raise NotRunning(asked="told to save its state", agent_status=agent.status)
    return AgentOrder.objects.create(agent=agent, kind=OrderKind.SAVE_STATE, asked_by=by)


def _replace(agent: Agent, by: str, now: datetime, backup: str) -> AgentOrder:
    if agent.status == AgentStatus.STOPPED:
        raise NotRunning(asked="replaced", agent_status=agent.status)
    attempt = attempts.replace(agent, backup=backup or agent.backup, now=now, asked_by=by)
    if attempt is None:
        raise Invalid("Name an agent of the team that is there now to take over.", field="backup")
    return AgentOrder.objects.create(
        agent=agent, kind=OrderKind.REPLACE, status=OrderStatus.DONE, attempt=attempt, asked_by=by, over_at=now
    )


_GIVE = {OrderKind.RESTART: _restart, OrderKind.STOP: _stop, OrderKind.SAVE_STATE: _save, OrderKind.REPLACE: _replace}


@atomic
def acknowledge(
    *, team: Team, name: str, order_id: UUID, epoch: int, instance: UUID, done: bool, now: datetime, error: str = ""
) -> AgentOrder:
    """An instance did what it was told, or could not. Twice is once. Raises NotFound and Fenced."""
    agent = attempts.lock(team=team, name=name)
    epochs.check(agent, epoch, instance)
    order = existing(AgentOrder.objects.select_for_update().filter(agent=agent, id=order_id).first(), "order of this agent")
    if order.status != OrderStatus.OPEN:
        return order
    order.status, order.over_at, order.error = OrderStatus.DONE if done else OrderStatus.FAILED, now, error[:80]
    order.save(update_fields=["status", "over_at", "error"])
    if order.kind == OrderKind.RESUME:
        replacement.answered(order, done=done, now=now)
    return order


def open_of(agents: Sequence[UUID]) -> dict[UUID, list[AgentOrder]]:
    """The open orders of these agents, the oldest first. One query, none without agents."""
    found: dict[UUID, list[AgentOrder]] = {}
    if not agents:
        return found
    rows = AgentOrder.objects.filter(agent__in=agents, status=OrderStatus.OPEN).select_related("attempt").order_by("created_at", "id")
    for order in rows[:SHOWN]:
        found.setdefault(order.agent_id, []).append(order)
    return found


def open_ids(*, team: Team, runner: str, agent: str) -> dict[UUID, str]:
    """The agents of a runner, or the one named, for which an order is open, by the order. One query."""
    whose = {"agent__runner": runner} if runner else {"agent__name": agent}
    rows = AgentOrder.objects.filter(agent__team=team, status=OrderStatus.OPEN, **whose).order_by("created_at", "id")
    return dict(rows.values_list("id", "agent__name")[: 10 * SHOWN])


def order_json(order: AgentOrder, now: datetime) -> dict[str, Any]:
    """An order as a runner reads it."""
    told = {"id": str(order.id), "kind": order.kind, **order.details}
    if order.kind == OrderKind.RESTART and order.attempt is not None:
        left = strategies.remaining_pause(order.attempt.due_at, now=now)
        told |= {"attempt": str(order.attempt_id), "after_ms": int(left.total_seconds() * 1000)}
    return told


def probe_json(probe: str) -> dict[str, Any]:
    """A probe, by its id, as a runner reads it: like an order."""
    return {"id": probe, "kind": OrderKind.PROBE, "timeout_ms": settings.LIVENESS_PROBE_TIMEOUT_MS}
