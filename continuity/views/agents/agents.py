"""Who is alive, on what and since when, what was done about those that failed; and the orders that operators give."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from continuity.accounts.roles import Permission
from continuity.agents.names import OrderKind
from continuity.core.errors import Invalid
from continuity.models import Agent
from continuity.services.agents import agent_status, capacity, epochs, incidents, orders
from continuity.views import confirming
from continuity.views.access import MemberRequest, member_page
from continuity.views.confirming import Question

EFFECTS = {
    OrderKind.RESTART: "Its process is killed and started anew; it continues from its state, and gets the events that it missed.",
    OrderKind.STOP: "Its process is ended. It will not restart automatically.",
    OrderKind.REPLACE: "Its instance is over. The other one is briefed on its conversation and takes its subscriptions.",
    OrderKind.SAVE_STATE: "It saves its state now.",
}


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its list."""
    team = request.principal.team
    agents, more = agent_status.of_team(team)
    shown = {"agents": agents, "more": more, "incident": incidents.open_of(team), "capacity": capacity.of_team(team)}
    if request.htmx:
        return render(request, "agents/agents.html#list", shown)
    return render(request, "agents/agents.html", shown | {"incidents": incidents.latest(team, size=5)})


@member_page
@require_safe
def agent(request: MemberRequest, agent_name: str) -> HttpResponse:
    """One agent: what it is, what happened to it, what can be ordered."""
    team = request.principal.team
    found = epochs.get(team=team, name=agent_name)
    shown = {"agent": found, "standing": agent_status.of_agent(found), "history": agent_status.history(found)}
    if request.htmx:
        return render(request, "agents/agent.html#course", shown)
    may_order = request.principal.may(Permission.ADMIN)
    others = Agent.objects.visible_to(team).live().exclude(id=found.id).order_by("name") if may_order else Agent.objects.none()
    return render(request, "agents/agent.html", shown | {"may_order": may_order, "others": others[:100], "kinds": orders.ASKABLE})


@member_page
@require_POST
def order(request: MemberRequest, agent_name: str) -> HttpResponse:
    """Gives an order, after a question where an instance ends by it."""
    request.principal.require(Permission.ADMIN)
    found = epochs.get(team=request.principal.team, name=agent_name)
    kind, backup = request.POST.get("kind", ""), request.POST.get("backup", "")
    if kind not in orders.ASKABLE:
        raise Invalid("An agent is told to restart, to stop, to be replaced, or to save its state.", field="kind")
    if kind != OrderKind.SAVE_STATE and not confirming.confirmed(request):
        return confirming.ask(request, _question(found, OrderKind(kind), backup))
    orders.give(
        team=request.principal.team, name=found.name, kind=OrderKind(kind), by=request.principal.name, now=timezone.now(), backup=backup
    )
    messages.success(request, f"{found.name} is told with its next beat.")
    return redirect("agent", found.name)


def _question(agent: Agent, kind: OrderKind, backup: str) -> Question:
    verb = str(kind).replace("_", " ")
    who = f" by {backup}" if kind == OrderKind.REPLACE and backup else ""
    return Question(
        title=f"{verb.capitalize()} {agent.name}{who}?",
        effects=[EFFECTS[kind]],
        button=verb.capitalize(),
        back=reverse("agent", args=[agent.name]),
        sent={"kind": kind, "backup": backup},
    )
