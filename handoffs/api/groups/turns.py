"""Turns of a group: who is next and why, what is said, what everybody reads."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from ninja import Query, Router, Status

from continuity.api.access import AGENT, READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.pages import Cut, Order, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.groups.model import GroupStatus
from continuity.models import GroupSelection
from continuity.services.groups import groups, shared_context, turns
from handoffs.api.batch_reader import read
from handoffs.api.groups.answers import HeardOut, NextOut, SaidOut, SelectionOut, next_fields, turn_of
from handoffs.api.groups.context_answers import ContextOut, context_fields
from handoffs.api.groups.inputs import ContextQuery, NextIn, SayIn, ThumbIn, TurnIn, batch_of

router = Router(tags=["groups"])
OF_GROUP = "/groups/{uuid:group_id}"
OF_TURN = f"{OF_GROUP}/turns/{{uuid:turn_id}}"
BY_NUMBER: Order = {"number": int}


@router.post(f"{OF_GROUP}/next", auth=AGENT, response=answers(NextOut, 200, 409), summary="Who speaks next in a group")
def next_in_group(request: ApiRequest, group_id: UUID, payload: NextIn) -> Status[dict[str, Any]]:
    """Chooses who speaks, or says who does. An agent that sends itself as `acting` gets the turn where it is its own; 429 `turn_taken`
    with the wait where it is another's, or the last choice was made less than a second ago."""
    acting = payload.acting.acting() if payload.acting else None
    return Status(200, next_fields(turns.next_speaker(team=request.auth.team, group_id=group_id, now=timezone.now(), acting=acting)))


@router.post(f"{OF_GROUP}/messages", auth=WRITE, response=answers(HeardOut, 201, 409, 410, 413), summary="Say something to a group")
@idempotent
def say_to_group(request: ApiRequest, group_id: UUID, payload: SayIn) -> Status[HeardOut]:
    """Takes a person's message at any time, also while no agent is there. Limits count anew from it."""
    batch = read(batch_of(payload.messages), size=len(request.body))
    heard = turns.hear(team=request.auth.team, group_id=group_id, messages=batch.messages, now=timezone.now())
    status = GroupStatus(groups.get(team=request.auth.team, group_id=group_id).status)
    return Status(201, HeardOut(seqs=list(heard.seqs), status=status))


@router.get(f"{OF_GROUP}/turns", auth=READ, response=answers(Page[SelectionOut]), summary="List who was chosen, and why")
def list_turns(request: ApiRequest, group_id: UUID, query: Query[PageQuery]) -> Status[Cut]:
    """Each choice of a speaker, the latest first."""
    group = groups.get(team=request.auth.team, group_id=group_id)
    return Status(200, cut(GroupSelection.objects.filter(group=group), query, BY_NUMBER))


@router.post(f"{OF_TURN}/messages", auth=AGENT, response=answers(SaidOut, 201, 409, 410, 413), summary="Say something in one's turn")
def say_in_turn(request: ApiRequest, group_id: UUID, turn_id: UUID, payload: TurnIn) -> Status[SaidOut]:
    """Only who holds the turn may: 409 `not_your_turn` else, and `fenced` where another instance of the agent began."""
    batch = payload.batch
    messages = read(batch, size=len(request.body)).messages if batch else []
    how = {"over": payload.over, "done": payload.done, "to_step": payload.to_step}
    appended, turn = turns.say(
        team=request.auth.team,
        group_id=group_id,
        acting=payload.acting(),
        turn_id=turn_id,
        messages=messages,
        now=timezone.now(),
        **how,  # type: ignore[arg-type]
    )
    group = turn.group
    seqs = list(appended.seqs) if appended else []
    told = {"seqs": seqs, "turn": turn.id, "lease_until": turn_of(turn), "step": group.step, "workflow_version": group.workflow_version}
    return Status(201, SaidOut.model_validate(told))


@router.post(f"{OF_TURN}/thumb", auth=WRITE, response=answers(SelectionOut), summary="Rate the choice of a speaker")
def rate_turn(request: ApiRequest, group_id: UUID, turn_id: UUID, payload: ThumbIn) -> Status[GroupSelection]:
    """Whether the right one was chosen; said again it is changed."""
    by = request.auth.name
    return Status(200, turns.rate(team=request.auth.team, group_id=group_id, turn_id=turn_id, thumb=payload.thumb, by=by))


@router.get(f"{OF_GROUP}/context", auth=READ, response=answers(ContextOut), summary="What everybody in a group reads")
def get_context(request: ApiRequest, group_id: UUID, query: Query[ContextQuery]) -> Status[dict[str, Any]]:
    """The shared history within `budget` tokens, the same for all: who takes part, the present step, the latest messages."""
    return Status(200, context_fields(shared_context.context(team=request.auth.team, group_id=group_id, budget=query.budget)))
