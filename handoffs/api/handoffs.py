"""Handoffs: prepare, list, read, resume."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.jobs import JobOut
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.api.versions import etag
from continuity.models import within
from continuity.services.recording import conversations
from handoffs.api.folding import folded
from handoffs.api.forms.handoffs import (
    DirectiveDocument,
    DirectiveOut,
    HandoffDetail,
    HandoffOut,
    HookCharacters,
    PrepareIn,
    PrepareQuery,
    ResumedOut,
    ResumeIn,
)
from handoffs.contract.model import Style
from handoffs.directive.outputs import HOOK_CHARS, DirectiveOutput
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.chains import chains, resumption
from handoffs.services.packages import directives, handoffs, preparation

router = Router(tags=["handoffs"])

NEWEST: Order = {"created_at": moment, "id": UUID}
OF_CONVERSATION = "/conversations/{uuid:conversation_id}/handoffs"


class HandoffQuery(PageQuery):
    status: HandoffStatus | None = None
    cwd: str = Field("", max_length=4096, description="The folder that the conversation worked in.")
    within: str = Field("", max_length=4096, description="A folder: of conversations that worked in it or below it.")
    overtaken: bool = Field(True, description="False: without those whose conversation continued from another one since they were made.")


class DirectiveQuery(Schema):
    style: Style | None = None
    format: DirectiveOutput = Field(
        DirectiveOutput.MARKDOWN, description="`system`: a system prompt. `hook`: at most 10,000 characters. `json`: a document."
    )
    characters: HookCharacters = HOOK_CHARS
    max_reminder_count: int | None = Field(None, ge=0, le=100, description="Of the document; as prepared where it is not sent.")


@router.post(OF_CONVERSATION, auth=HANDOFF, response=answers(HandoffOut, 201, 410) | {202: JobOut}, summary="Prepare a handoff")
@folded
@idempotent
def prepare_handoff(
    request: ApiRequest, conversation_id: UUID, query: Query[PrepareQuery], payload: PrepareIn | None = None
) -> Status[HandoffOut] | Status[JobOut]:
    """Prepares a package, checks it against the conversation and stores it. One that fails its check is stored as `failed`."""
    wanted = (payload or PrepareIn()).model_dump(exclude={"draft"})
    options, draft = preparation.options_of(**wanted), payload is not None and payload.draft
    team, owner, key = request.auth.team, request.auth.user, request.auth.key
    if query.wait:
        made = preparation.prepare(team=team, conversation_id=conversation_id, options=options, owner=owner, key=key, draft=draft)
        return Status(201, HandoffOut.from_orm(made))
    job = preparation.submit(team=team, conversation_id=conversation_id, options=options, owner=owner, key=key, draft=draft)
    return Status(202, JobOut.from_orm(job))


@router.get(OF_CONVERSATION, auth=READ, response=answers(Page[HandoffOut]), summary="List a conversation's handoffs")
def list_handoffs(request: ApiRequest, conversation_id: UUID, query: Query[PageQuery]) -> Status[Cut]:
    """The handoffs of a conversation, the newest first."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    return Status(200, cut(Handoff.objects.filter(conversation=conversation).defer(*chains.HEAVY), query, NEWEST))


@router.get("/handoffs", auth=READ, response=answers(Page[HandoffOut]), summary="List handoffs")
def list_team_handoffs(request: ApiRequest, query: Query[HandoffQuery]) -> Status[Cut]:
    """The team's handoffs, the newest first."""
    rows = Handoff.objects.visible_to(request.auth.team).defer(*chains.HEAVY)
    rows = rows.filter(status=query.status) if query.status else rows
    rows = rows.filter(conversation__cwd=query.cwd) if query.cwd else rows
    rows = rows.filter(within(query.within, "conversation__")) if query.within else rows
    rows = rows if query.overtaken else rows.not_overtaken()
    return Status(200, cut(rows, query, NEWEST))


@router.get("/handoffs/{uuid:handoff_id}", auth=READ, response=answers(HandoffDetail, 200, 410), summary="Read a handoff")
def get_handoff(request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[Handoff]:
    """The handoff with its package; 410 where it was deleted. `ETag` holds its version."""
    found = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    response["ETag"] = etag(found.version)
    return Status(200, found)


@router.get(
    "/handoffs/{uuid:handoff_id}/directive",
    auth=READ,
    response=answers(DirectiveOut | DirectiveDocument, 200, 410),
    summary="Read the directive",
    openapi_extra={"responses": {200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}}},
)
def get_directive(request: ApiRequest, handoff_id: UUID, query: Query[DirectiveQuery]) -> Status[Any] | HttpResponse:
    """The directive for the next session: as Markdown, as a system prompt, sized for a hook, or as CONT-01's document. Whoever accepts
    only JSON gets a text within it."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    if query.format is DirectiveOutput.JSON:
        return Status(200, DirectiveDocument(**directives.as_document(handoff, max_reminder_count=query.max_reminder_count)))
    text = directives.as_text(handoff, output=query.format, style=query.style or "", characters=query.characters)
    if request.get_preferred_type(["text/markdown", "application/json"]) == "application/json":
        return Status(200, DirectiveOut(handoff_id=handoff.id, style=query.style or Style(handoff.style), text=text))
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@router.post("/handoffs/{uuid:handoff_id}/resume", auth=HANDOFF, response=answers(ResumedOut, 201, 409, 410), summary="Resume a handoff")
@folded
@idempotent
def resume_handoff(request: ApiRequest, handoff_id: UUID, payload: ResumeIn | None = None) -> Status[ResumedOut]:
    """Opens the next conversation of the chain. 409 where it was resumed already, unless `fork`; 410 where it expired."""
    wanted = payload or ResumeIn()
    how = wanted.model_dump(exclude={"format", "characters"})
    resumed = resumption.resume(team=request.auth.team, handoff_id=handoff_id, resumed_by=request.auth.person, **how)
    return Status(201, ResumedOut.of(resumed, DirectiveOutput(wanted.format), wanted.style, wanted.characters))
