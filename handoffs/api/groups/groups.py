"""Groups: made, seen, changed; who takes part; the workflow."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from ninja import Query, Router, Status

from continuity.agents import names
from continuity.api.access import HANDOFF, READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.groups.model import GroupStatus
from continuity.models import Group, GroupParticipant
from continuity.services.groups import groups, opening, workflows
from handoffs.api.groups.answers import GroupHandoffOut, GroupOut, ParticipantOut, WholeGroupOut
from handoffs.api.groups.inputs import GroupChangeIn, GroupHandoffIn, GroupIn, ParticipantIn, StepIn
from handoffs.api.groups.workflow_answers import WorkflowOut
from handoffs.services.groups import group_handoff

router = Router(tags=["groups"])
OF_GROUP = "/groups/{uuid:group_id}"
LATEST: Order = {"created_at": moment, "id": UUID}


class GroupQuery(PageQuery):
    status: GroupStatus | None = None


@router.post("/groups", auth=WRITE, response=answers(WholeGroupOut, 201, 409), summary="Make a group")
@idempotent
def create_group(request: ApiRequest, payload: GroupIn) -> Status[WholeGroupOut]:
    """Up to 10 agents that work in one conversation, one at a time. 503 while several agents of the team fail, or all conversations of
    agents are taken."""
    made = opening.open_group(
        team=request.auth.team,
        participants=[each.given() for each in payload.participants],
        now=timezone.now(),
        message=payload.message,
        created_by=request.auth.name,
        title=payload.title,
        strategy=payload.strategy,
        limits=payload.limits,
        steps=payload.workflow,
        rules=payload.rules,
        model=payload.model,
    )
    return Status(201, WholeGroupOut.from_orm(made))


@router.get("/groups", auth=READ, response=answers(Page[GroupOut]), summary="List groups")
def list_groups(request: ApiRequest, query: Query[GroupQuery]) -> Status[Cut]:
    """The team's groups, the latest first."""
    rows = Group.objects.visible_to(request.auth.team).select_related("conversation")
    return Status(200, cut(rows.filter(status=query.status) if query.status else rows, query, LATEST))


@router.get(OF_GROUP, auth=READ, response=answers(WholeGroupOut), summary="See a group")
def get_group(request: ApiRequest, group_id: UUID) -> Status[Group]:
    """A group: its participants, the step of its workflow, and why it waits, if it does."""
    return Status(200, groups.get(team=request.auth.team, group_id=group_id))


@router.patch(OF_GROUP, auth=WRITE, response=answers(WholeGroupOut, 200, 409), summary="Change a group")
def change_group(request: ApiRequest, group_id: UUID, payload: GroupChangeIn) -> Status[Group]:
    """Its strategy, limits or rules, for what is chosen from now on."""
    given = payload.model_dump(exclude_none=True)
    groups.change(team=request.auth.team, group_id=group_id, given=given, now=timezone.now())
    return Status(200, groups.get(team=request.auth.team, group_id=group_id))


@router.post(f"{OF_GROUP}/close", auth=WRITE, response=answers(GroupOut), summary="Close a group")
def close_group(request: ApiRequest, group_id: UUID) -> Status[Group]:
    """Nobody speaks in it any more; what was said stays."""
    return Status(200, groups.close(team=request.auth.team, group_id=group_id, now=timezone.now()))


@router.post(f"{OF_GROUP}/participants", auth=WRITE, response=answers(ParticipantOut, 200, 409), summary="Let an agent join")
def join_group(request: ApiRequest, group_id: UUID, payload: ParticipantIn) -> Status[GroupParticipant]:
    """Twice is once, with what is sent last. Who joins late gets a briefing. The eleventh is refused: 409 `group_full`."""
    return Status(200, groups.join(team=request.auth.team, group_id=group_id, given=payload.given(), now=timezone.now()))


@router.delete(f"{OF_GROUP}/participants/{{agent_name}}", auth=WRITE, response=answers(None, 204), summary="Let an agent leave")
def leave_group(request: ApiRequest, group_id: UUID, agent_name: str) -> Status[None]:
    """Its turn is over; what it said stays."""
    name = agent_name if names.is_name(agent_name) else ""
    groups.leave(team=request.auth.team, group_id=group_id, agent=name, now=timezone.now())
    return Status(204, None)


@router.get(f"{OF_GROUP}/workflow", auth=READ, response=answers(WorkflowOut), summary="See a group's workflow")
def get_workflow(request: ApiRequest, group_id: UUID) -> Status[dict[str, Any]]:
    """Its steps, where it is, and how it came there: the latest 100 transitions."""
    return Status(200, _workflow(groups.get(team=request.auth.team, group_id=group_id)))


@router.post(f"{OF_GROUP}/workflow", auth=WRITE, response=answers(WorkflowOut, 200, 409, 412), summary="Move a group's workflow")
def move_workflow(request: ApiRequest, group_id: UUID, payload: StepIn) -> Status[dict[str, Any]]:
    """To any step, or to `end`. 412 where it moved since `version`."""
    by = request.auth.name
    moved = workflows.move(team=request.auth.team, group_id=group_id, to=payload.to, version=payload.version, by=by, now=timezone.now())
    return Status(200, _workflow(moved))


@router.post(f"{OF_GROUP}/handoff", auth=HANDOFF, response=answers(GroupHandoffOut, 201, 409, 410), summary="Hand a whole group over")
def hand_group_over(request: ApiRequest, group_id: UUID, payload: GroupHandoffIn) -> Status[GroupHandoffOut]:
    """The group continues in a new conversation, briefed on this one, with all that it is."""
    moved = group_handoff.hand_over(team=request.auth.team, group_id=group_id, budget=payload.budget, by=request.auth.person)
    return Status(201, GroupHandoffOut(handoff_id=moved.handoff_id, conversation_id=moved.conversation_id))


def _workflow(group: Group) -> dict[str, Any]:
    steps = group.steps.as_json()
    return {"step": group.step, "version": group.workflow_version, "steps": steps, "transitions": workflows.of(group.id)}
