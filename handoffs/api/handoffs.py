"""Handoffs: prepare, list, read, resume."""

from uuid import UUID

from django.http import HttpResponse
from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.jobs import JobOut
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.services import conversations
from handoffs.api.folding import folded
from handoffs.api.handoff_forms import DirectiveOut, HandoffDetail, HandoffOut, PrepareIn, PrepareQuery, ResumedOut, ResumeIn
from handoffs.models import Handoff, HandoffStatus
from handoffs.packages.model import Style
from handoffs.services import chains, handoffs, preparation, resumption

router = Router(tags=["handoffs"])

NEWEST: Order = {"created_at": moment, "id": UUID}
OF_CONVERSATION = "/conversations/{uuid:conversation_id}/handoffs"


class HandoffQuery(PageQuery):
    status: HandoffStatus | None = None
    cwd: str = Field("", max_length=4096, description="The folder that the conversation worked in.")


class DirectiveQuery(Schema):
    style: Style | None = None


@router.post(OF_CONVERSATION, auth=HANDOFF, response=answers(HandoffOut, 201, 410) | {202: JobOut}, summary="Prepare a handoff")
@folded
@idempotent
def prepare_handoff(
    request: ApiRequest, conversation_id: UUID, query: Query[PrepareQuery], payload: PrepareIn | None = None
) -> Status[HandoffOut] | Status[JobOut]:
    """Prepares a package, checks it against the conversation and stores it. One that fails its check is stored as `failed`."""
    wanted = (payload or PrepareIn()).model_dump(exclude={"draft"})
    options, draft = preparation.options_of(**wanted), payload is not None and payload.draft
    team, owner = request.auth.team, request.auth.user
    if query.wait:
        made = preparation.prepare(team=team, conversation_id=conversation_id, options=options, owner=owner, draft=draft)
        return Status(201, HandoffOut.from_orm(made))
    job = preparation.submit(team=team, conversation_id=conversation_id, options=options, owner=owner, draft=draft)
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
    return Status(200, cut(rows, query, NEWEST))


@router.get("/handoffs/{uuid:handoff_id}", auth=READ, response=answers(HandoffDetail, 200, 410), summary="Read a handoff")
def get_handoff(request: ApiRequest, handoff_id: UUID) -> Status[Handoff]:
    """The handoff with its package; 410 where it was deleted."""
    return Status(200, handoffs.get(team=request.auth.team, handoff_id=handoff_id))


@router.get(
    "/handoffs/{uuid:handoff_id}/directive",
    auth=READ,
    response=answers(DirectiveOut, 200, 410),
    summary="Read the directive",
    openapi_extra={"responses": {200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}}},
)
def get_directive(request: ApiRequest, handoff_id: UUID, query: Query[DirectiveQuery]) -> Status[DirectiveOut] | HttpResponse:
    """What the next session is told, as Markdown, or as JSON for whoever accepts only that."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    text = handoffs.directive_text(handoff, style=query.style or "")
    if request.get_preferred_type(["text/markdown", "application/json"]) == "application/json":
        return Status(200, DirectiveOut(handoff_id=handoff.id, style=query.style or Style(handoff.style), text=text))
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@router.post("/handoffs/{uuid:handoff_id}/resume", auth=HANDOFF, response=answers(ResumedOut, 201, 409, 410), summary="Resume a handoff")
@folded
@idempotent
def resume_handoff(request: ApiRequest, handoff_id: UUID, payload: ResumeIn | None = None) -> Status[ResumedOut]:
    """Opens the next conversation of the chain. 409 where it was resumed already, unless `fork`; 410 where it expired."""
    wanted = (payload or ResumeIn()).model_dump()
    resumed = resumption.resume(team=request.auth.team, handoff_id=handoff_id, resumed_by=request.auth.user, **wanted)
    return Status(201, ResumedOut.of(resumed))
