"""Changing a package before it is resumed: pin, reword, dismiss, add, regenerate, undo."""

from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpResponse
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime, ConfigDict

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag
from continuity.knowledge.model import AnchorType
from handoffs.api.authoring import author, version
from handoffs.api.folding import folded
from handoffs.api.forms.handoffs import HandoffOut
from handoffs.contract.model import Style
from handoffs.models import EditAction, EditTarget, Handoff, HandoffEdit
from handoffs.services.edits import package_edits, undo
from handoffs.services.packages import handoffs

router = Router(tags=["changing a handoff"])

ONE = "/handoffs/{uuid:handoff_id}"
LATEST: Order = {"created_at": moment, "id": UUID}


class EditIn(Schema):
    """A change. `ref` is a reference of the package (`a12`), `key` the key of an item, also of one that was left out (`diff` names it).

    `add` takes `type` and `text`, `edit` takes `text`.
    """

    model_config = ConfigDict(extra="forbid")

    action: Literal["pin", "unpin", "edit", "dismiss", "add"]
    ref: Annotated[str, Field(max_length=12, examples=["a12"])] = ""
    key: Annotated[str, Field(max_length=5000)] = ""
    type: AnchorType | Literal["Task"] = AnchorType.FACT
    text: Annotated[str, Field(max_length=2000)] = ""


class RegenerateIn(Schema):
    """Options to change; what is not sent stays as it was."""

    model_config = ConfigDict(extra="forbid")

    budget: int | None = None
    style: Style | None = None
    max_reminder_count: int | None = None
    note: Annotated[str, Field(max_length=2000)] | None = None


class EditOut(Schema):
    """A change with who made it and when; `before` and `after` are the fields it set."""

    id: UUID
    handoff_id: UUID
    action: EditAction
    target: EditTarget
    key: str
    reference: str
    before: dict[str, Any]
    after: dict[str, Any]
    made_by_id: UUID | None
    made_with_id: UUID | None = Field(description="The API key of the agent that made it.")
    created_at: AwareDatetime
    undone_at: AwareDatetime | None
    undone_by_id: UUID | None
    undone_with_id: UUID | None

    @staticmethod
    def resolve_before(edit: HandoffEdit) -> Any:
        return hide(edit.before)

    @staticmethod
    def resolve_after(edit: HandoffEdit) -> Any:
        return hide(edit.after)


@router.post(f"{ONE}/edits", auth=HANDOFF, response=answers(EditOut, 201, 409, 410, 412), summary="Change an item", openapi_extra=IF_MATCH)
@folded
def edit_handoff(request: ApiRequest, handoff_id: UUID, payload: EditIn, response: HttpResponse) -> Status[HandoffEdit]:
    """Changes an item of a draft or ready package and makes the package again. With `If-Match`, only that version (else 412)."""
    place: dict[str, Any] = {"team": request.auth.team, "handoff_id": handoff_id, "author": author(request), "version": version(request)}
    if payload.action == "add":
        made = package_edits.add(type=payload.type, text=payload.text, **place)
    else:
        made = package_edits.edit(action=EditAction(payload.action), ref=payload.ref, key=payload.key, text=payload.text, **place)
    response["ETag"] = etag(made.handoff.version)
    return Status(201, made)


@router.get(f"{ONE}/edits", auth=READ, response=answers(Page[EditOut], 200, 410), summary="List changes")
def list_edits(request: ApiRequest, handoff_id: UUID, query: Query[PageQuery]) -> Status[Cut]:
    """The changes of a package, the latest first, with those that were undone."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    return Status(200, cut(HandoffEdit.objects.filter(handoff=handoff), query, LATEST))


@router.post(
    f"{ONE}/edits/{{uuid:edit_id}}/undo",
    auth=HANDOFF,
    response=answers(EditOut, 200, 409, 410, 412),
    summary="Undo a change",
    openapi_extra=IF_MATCH,
)
@folded
def undo_edit(request: ApiRequest, handoff_id: UUID, edit_id: UUID, response: HttpResponse) -> Status[HandoffEdit]:
    """Takes a change back, also a withdrawal. 409 where a later change of the same item stands."""
    undone = undo.undo(team=request.auth.team, handoff_id=handoff_id, edit_id=edit_id, author=author(request), version=version(request))
    response["ETag"] = etag(undone.handoff.version)
    return Status(200, undone)


@router.post(
    f"{ONE}/regenerate",
    auth=HANDOFF,
    response=answers(HandoffOut, 200, 409, 410, 412),
    summary="Regenerate a handoff",
    openapi_extra=IF_MATCH,
)
@folded
def regenerate_handoff(request: ApiRequest, handoff_id: UUID, payload: RegenerateIn, response: HttpResponse) -> Status[Handoff]:
    """A new directive of the same package at another budget or in another style. A failed one that passes then is ready."""
    changes = payload.model_dump(exclude_none=True)
    place: dict[str, Any] = {"team": request.auth.team, "handoff_id": handoff_id, "author": author(request), "version": version(request)}
    made = package_edits.regenerate(changes=changes, **place)
    response["ETag"] = etag(made.version)
    return Status(200, made)
