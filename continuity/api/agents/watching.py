"""Agents as people see them, and the orders that people give: at the addresses at which agents speak for themselves."""

from uuid import UUID

from django.utils import timezone
from ninja import Query, Status

from continuity.agents.statuses import AgentStatus
from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.agents.answers import AgentOut, AttemptOut, IncidentOut, InstanceOut, OrderOut
from continuity.api.agents.inputs import OrderIn
from continuity.api.agents.running import OF_AGENT, router
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.models import Agent, AgentInstance, AgentOrder, Incident, RecoveryAttempt
from continuity.services.agents import epochs, orders, registry

__all__ = ["router"]

BY_NAME: Order = {"name": str}
LATEST: Order = {"created_at": moment, "id": UUID}
BY_EPOCH: Order = {"epoch": int}


class AgentQuery(PageQuery):
    status: AgentStatus | None = None


@router.get("/agents", auth=READ, response=answers(Page[AgentOut]), summary="List agents")
def list_agents(request: ApiRequest, query: Query[AgentQuery]) -> Status[Cut]:
    """The team's agents, by name."""
    rows = Agent.objects.visible_to(request.auth.team)
    return Status(200, cut(rows.filter(status=query.status) if query.status else rows, query, BY_NAME, ascending=True))


@router.get(OF_AGENT, auth=READ, response=answers(AgentOut), summary="See an agent")
def get_agent(request: ApiRequest, agent_name: str) -> Status[Agent]:
    """An agent: its status and since when, and what it works on."""
    return Status(200, epochs.get(team=request.auth.team, name=agent_name))


@router.delete(OF_AGENT, auth=ADMIN, response=answers(None, 204), summary="Remove an agent")
def remove_agent(request: ApiRequest, agent_name: str) -> Status[None]:
    """Takes it out of the registry, with all that is known of its instances; its subscriptions stay."""
    registry.remove(team=request.auth.team, name=agent_name)
    return Status(204, None)


@router.get(f"{OF_AGENT}/instances", auth=READ, response=answers(Page[InstanceOut]), summary="List an agent's instances")
def list_agent_instances(request: ApiRequest, agent_name: str, query: Query[PageQuery]) -> Status[Cut]:
    """The latest first; of each agent the last fifty are kept."""
    agent = epochs.get(team=request.auth.team, name=agent_name)
    return Status(200, cut(AgentInstance.objects.filter(agent=agent), query, BY_EPOCH))


@router.get(f"{OF_AGENT}/recoveries", auth=READ, response=answers(Page[AttemptOut]), summary="List an agent's failures and recoveries")
def list_agent_recoveries(request: ApiRequest, agent_name: str, query: Query[PageQuery]) -> Status[Cut]:
    """Each failure and what was done about it, the latest first."""
    agent = epochs.get(team=request.auth.team, name=agent_name)
    return Status(200, cut(RecoveryAttempt.objects.filter(agent=agent).select_related("backup"), query, LATEST))


@router.get(f"{OF_AGENT}/orders", auth=READ, response=answers(Page[OrderOut]), summary="List an agent's orders")
def list_agent_orders(request: ApiRequest, agent_name: str, query: Query[PageQuery]) -> Status[Cut]:
    """The orders that it was given and their outcomes, newest first."""
    agent = epochs.get(team=request.auth.team, name=agent_name)
    return Status(200, cut(AgentOrder.objects.filter(agent=agent), query, LATEST))


@router.post(f"{OF_AGENT}/orders", auth=ADMIN, response=answers(OrderOut, 201, 409), summary="Give an agent an order")
def order_agent(request: ApiRequest, agent_name: str, payload: OrderIn) -> Status[AgentOrder]:
    """Restart, stop, replace it, or have it save its state: its runner hears of it with the next beat."""
    made = orders.give(
        team=request.auth.team, name=agent_name, kind=payload.kind, by=request.auth.name, now=timezone.now(), backup=payload.backup
    )
    return Status(201, made)


@router.get("/incidents", auth=READ, response=answers(Page[IncidentOut]), summary="List incidents")
def list_incidents(request: ApiRequest, query: Query[PageQuery]) -> Status[Cut]:
    """When more than three agents of the team failed within half a minute; nothing new is begun for agents while one is open."""
    return Status(200, cut(Incident.objects.visible_to(request.auth.team), query, LATEST))
