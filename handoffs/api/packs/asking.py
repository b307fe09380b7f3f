"""Asking for packs, and sending what a client found."""

from typing import Any
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import ADMIN, READ, WRITE, ApiRequest
from continuity.api.problems import answers
from continuity.core.errors import existing
from handoffs.api.authoring import author
from handoffs.api.packs.forms import AnchorPackOut, MadeIn, PackOut, PackPolicyIn, PackPolicyOut, QuestionIn, ReplyOut, reply
from handoffs.models import PackPolicy, StoredPack
from handoffs.services.packs import pack_answers, pack_policies

router = Router()


class WorkTreeQuery(Schema):
    root: str = Field(max_length=4_096)
    machine: str = Field("", max_length=120)


OF_CONVERSATION = "/conversations/{uuid:conversation_id}/packs"


@router.post(f"{OF_CONVERSATION}/asked", auth=WRITE, response=answers(ReplyOut), summary="Ask for a session's packs")
def ask_for_packs(request: ApiRequest, conversation_id: UUID, payload: QuestionIn) -> Status[dict[str, Any]]:
    """The packs for a session at this turn, where they are kept; else `wanted` asks for what the client finds in its repository."""
    told = pack_answers.ask(team=request.auth.team, question=payload.as_question(conversation_id))
    return Status(200, reply(told, told.pack))


@router.post(OF_CONVERSATION, auth=WRITE, response=answers(ReplyOut), summary="Send what a client found, and get the packs of it")
def make_packs(request: ApiRequest, conversation_id: UUID, payload: MadeIn) -> Status[dict[str, Any]]:
    """Secrets are masked before anything is kept. Contents are read only where the team's policy lets them leave the machine."""
    team, question = request.auth.team, payload.question.as_question(conversation_id)
    material = payload.material.as_material(contents=pack_policies.effective(team).contents)
    told = pack_answers.make(team=team, question=question, material=material, blobs=payload.material.versions())
    return Status(200, reply(told, told.pack))


@router.get(OF_CONVERSATION, auth=READ, response=answers(PackOut), summary="Read a session's latest packs")
def get_packs(request: ApiRequest, conversation_id: UUID) -> Status[StoredPack]:
    """The packs that were made last for this session; 404 where none were."""
    found = existing(pack_answers.latest_of(team=request.auth.team, conversation_id=conversation_id), "pack of this conversation")
    return Status(200, found)


@router.get("/packs/anchor", auth=READ, response=answers(AnchorPackOut), summary="Read the Anchor pack of a work tree")
def get_anchor(request: ApiRequest, query: Query[WorkTreeQuery]) -> Status[dict[str, Any]]:
    """The Anchor pack, for a session that begins there. Empty where the team gives nothing; 404 where nobody worked there."""
    text, paths = pack_answers.anchor_of(team=request.auth.team, machine=query.machine, root=query.root)
    return Status(200, {"anchor": text, "paths": list(paths), "epoch": pack_answers.epoch_of(request.auth.team)})


@router.get("/packs/policy", auth=READ, response=answers(PackPolicyOut), summary="Read the team's policy for packs")
def get_pack_policy(request: ApiRequest) -> Status[dict[str, Any]]:
    """How far packs are rolled out."""
    return Status(200, _shown(request, pack_policies.effective(request.auth.team)))


@router.patch("/packs/policy", auth=ADMIN, response=answers(PackPolicyOut), summary="Change the team's policy for packs")
def change_pack_policy(request: ApiRequest, payload: PackPolicyIn) -> Status[dict[str, Any]]:
    """Sets what is sent. Giving packs to sessions takes the tier Teams."""
    changes = payload.model_dump(exclude_unset=True)
    return Status(200, _shown(request, pack_policies.change(team=request.auth.team, changes=changes, author=author(request))))


def _shown(request: ApiRequest, row: PackPolicy) -> dict[str, Any]:
    own = {name: getattr(row, name) for name in pack_policies.EDITABLE}
    return {**own, "working": pack_policies.mode_of(request.auth.team, row)}
