"""Calls by which an agent, or the runner that owns it, acts for itself: with the scope `agent`, and its epoch."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponseBase
from django.utils import timezone
from ninja import Query, Router, Status

from continuity.agents.names import OrderStatus
from continuity.api.access import AGENT, ApiRequest
from continuity.api.agents.answers import AgentOut, BeatsOut, EndedOut, OpenedOut, OrderedOut, RegisteredOut
from continuity.api.agents.inputs import (
    AckOrderIn,
    AgentIn,
    BeatsIn,
    ClaimIn,
    DescribeIn,
    EndedIn,
    OpenIn,
    OrderedQuery,
    ReadyIn,
    StopIn,
    WorkIn,
)
from continuity.api.problems import answers
from continuity.live import ordering
from continuity.models import Agent
from continuity.services.agents import admission, heartbeats, orders, recovery, registry
from continuity.services.agents.heartbeats import ReportedBeat
from continuity.services.agents.usage import ResourceUsage

router = Router(tags=["agents"])
OF_AGENT = "/agents/{agent_name}"


@router.post("/agents", auth=AGENT, response={201: RegisteredOut, **answers(RegisteredOut)}, summary="Register an agent")
def register_agent(request: ApiRequest, payload: AgentIn) -> Status[RegisteredOut]:
    """Begins an instance (201: nobody had registered the name) and fences off the one before: 409 `fenced` from then on."""
    registered = registry.register(
        team=request.auth.team,
        name=payload.name,
        now=timezone.now(),
        given=payload.columns(),
        runner=payload.runner,
        conversation_id=payload.conversation_id,
        file=payload.file,
        created_by=request.auth.name,
    )
    return Status(201 if registered.new else 200, RegisteredOut.of(registered))


@router.post("/agents/heartbeats", auth=AGENT, response=answers(BeatsOut, 200, 409), summary="Beat for agents")
def beat_for_agents(request: ApiRequest, payload: BeatsIn) -> Status[dict[str, Any]]:
    """Beats of all agents of a runner, 200 at most, and what they are to do. 409 where each of them is from an instance that is over."""
    told = [
        ReportedBeat(
            agent=each.agent,
            epoch=each.epoch,
            instance=each.instance,
            working=each.working,
            conversation_id=each.conversation_id,
            probe=each.probe.id if each.probe else "",
            probe_ok=each.probe.ok if each.probe else True,
            used=ResourceUsage(**each.used.model_dump()) if each.used else None,
        )
        for each in payload.beats
    ]
    found = heartbeats.hear(team=request.auth.team, runner=payload.runner, given=told, now=timezone.now())
    intervals = {"interval_ms": settings.HEARTBEAT_INTERVAL_MS, "lost_after_ms": settings.AGENT_LOST_AFTER_MS}
    return Status(200, {**intervals, "agents": found})


@router.get("/agents/heartbeats/orders", auth=AGENT, response=answers(OrderedOut, 200), summary="Wait for orders of agents")
def wait_for_orders(request: ApiRequest, query: Query[OrderedQuery]) -> HttpResponseBase:
    """Answers as soon as one of a runner's agents is ordered something else than before. Who is named beats at once, and is told then."""
    return ordering.respond(request, team=request.auth.team, runner=query.runner, agent=query.agent, wait=query.wait)


@router.post(f"{OF_AGENT}/describe", auth=AGENT, response=answers(AgentOut, 200, 409), summary="Say what an agent is")
def describe_agent(request: ApiRequest, agent_name: str, payload: DescribeIn) -> Status[Agent]:
    """Changes what it was registered with; the instance continues. For code that a runner started, which registered the name."""
    shown: dict[str, Any] = {"epoch": payload.epoch, "instance": payload.instance}
    about = payload.columns()
    return Status(200, registry.describe(team=request.auth.team, name=agent_name, given=about, created_by=request.auth.name, **shown))


@router.post(f"{OF_AGENT}/ready", auth=AGENT, response=answers(AgentOut, 200, 409), summary="Say that an agent is ready")
def agent_is_ready(request: ApiRequest, agent_name: str, payload: ReadyIn) -> Status[Agent]:
    """Its state is restored and what it missed replayed. It is degraded where half of the replay or more failed, and continues."""
    return Status(200, registry.ready(team=request.auth.team, name=agent_name, now=timezone.now(), **payload.model_dump()))


@router.post(f"{OF_AGENT}/ended", auth=AGENT, response=answers(EndedOut, 200, 409), summary="Say that an agent's process ended")
def agent_ended(request: ApiRequest, agent_name: str, payload: EndedIn) -> Status[dict[str, Any]]:
    """Takes the end of its process; answers what its runner should do, also when sent twice; with exit code 0 the agent stopped."""
    told = recovery.ended(team=request.auth.team, name=agent_name, now=timezone.now(), **payload.model_dump())
    return Status(
        200,
        {
            "status": told.agent.status,
            "epoch": told.agent.epoch,
            "action": told.action,
            "attempt": told.attempt.id if told.attempt else None,
            "after_ms": int(told.after.total_seconds() * 1000),
            "failures": told.agent.failures,
        },
    )


@router.post(f"{OF_AGENT}/claim", auth=AGENT, response=answers(RegisteredOut, 201, 409), summary="Claim a recovery")
def claim_agent(request: ApiRequest, agent_name: str, payload: ClaimIn) -> Status[RegisteredOut]:
    """The next instance, for an attempt to recover it. 409 where another one was first, or it is over; 429 before the back-off is."""
    claimed = recovery.claim(team=request.auth.team, name=agent_name, attempt_id=payload.attempt, runner=payload.runner, now=timezone.now())
    return Status(201, RegisteredOut.of(claimed))


@router.post(f"{OF_AGENT}/stop", auth=AGENT, response=answers(AgentOut, 200, 409), summary="Say that an agent stopped")
def stop_agent(request: ApiRequest, agent_name: str, payload: StopIn) -> Status[Agent]:
    """It ended by its own will, or as it was told to: nobody starts it again."""
    return Status(200, registry.stop(team=request.auth.team, name=agent_name, now=timezone.now(), **payload.model_dump()))


@router.patch(OF_AGENT, auth=AGENT, response=answers(AgentOut, 200, 409), summary="Say what an agent works on")
def agent_works_on(request: ApiRequest, agent_name: str, payload: WorkIn) -> Status[Agent]:
    """The conversation that it works in; null: none."""
    return Status(200, registry.works_on(team=request.auth.team, name=agent_name, **payload.model_dump()))


@router.post(f"{OF_AGENT}/conversation", auth=AGENT, response=answers(OpenedOut, 201, 409), summary="Open a conversation for an agent")
def open_agent_conversation(request: ApiRequest, agent_name: str, payload: OpenIn) -> Status[dict[str, UUID]]:
    """A new conversation, in which it works from now on. 503 `degraded` while several agents of the team fail."""
    made = admission.open_conversation(team=request.auth.team, name=agent_name, **payload.model_dump())
    return Status(201, {"conversation_id": made.id})


@router.post(f"{OF_AGENT}/orders/{{uuid:order_id}}/ack", auth=AGENT, response=answers(None, 204, 409), summary="Acknowledge an order")
def acknowledge_agent_order(request: ApiRequest, agent_name: str, order_id: UUID, payload: AckOrderIn) -> Status[None]:
    """The instance did what it was told (`done`), or could not (`failed`). Twice is once."""
    orders.acknowledge(
        team=request.auth.team,
        name=agent_name,
        order_id=order_id,
        epoch=payload.epoch,
        instance=payload.instance,
        done=payload.outcome == OrderStatus.DONE,
        error=payload.error,
        now=timezone.now(),
    )
    return Status(204, None)
