"""The anchors of a conversation: what must survive of it."""

from typing import Annotated
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import ConfigDict

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.masks import MaskedText
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.knowledge.model import AnchorState, AnchorType, Truth
from continuity.models import Anchor
from continuity.services.knowledge import anchors
from continuity.services.recording import conversations

router = Router(tags=["knowledge"])

# As the index has it that preparing reads by.
BY_VALUE = {"critical": bool, "importance": float, "source_seq": int, "id": UUID}


class AnchorQuery(PageQuery):
    type: AnchorType | None = None
    state: AnchorState | None = AnchorState.CURRENT


class AnchorOut(Schema):
    """An anchor in its own words. `source_seq` is its message, in `origin_conversation_id` where it was carried over."""

    key: str
    type: AnchorType
    text: MaskedText
    importance: float
    critical: bool
    truth: Truth
    state: AnchorState
    method: str
    source_seq: int
    origin_conversation_id: UUID | None
    subject: MaskedText
    rationale: MaskedText
    rejected: MaskedText
    superseded_by: str
    settled_seq: int | None
    pinned: bool


class AnchorIn(Schema):
    """Something that must survive, in a person's words."""

    model_config = ConfigDict(extra="forbid")

    type: AnchorType = AnchorType.DECISION
    text: Annotated[str, Field(min_length=1, max_length=4000, pattern=r"\S", examples=["Use Postgres, never SQLite."])]
    rationale: Annotated[str, Field(max_length=4000)] = ""
    rejected: Annotated[str, Field(max_length=4000, description="What was decided against.")] = ""


@router.post("/conversations/{uuid:conversation_id}/anchors", auth=WRITE, response=answers(AnchorOut, 201, 410), summary="Record an anchor")
@idempotent
def record_anchor(request: ApiRequest, conversation_id: UUID, payload: AnchorIn) -> Status[AnchorOut]:
    """Records by hand what must survive. It is pinned: no re-fold changes it, every package states it. Twice is once."""
    made = anchors.record(team=request.auth.team, conversation_id=conversation_id, by=request.auth.user, **payload.model_dump())
    return Status(201, AnchorOut.from_orm(made))


@router.get("/conversations/{uuid:conversation_id}/anchors", auth=READ, response=answers(Page[AnchorOut]), summary="List anchors")
def list_anchors(request: ApiRequest, conversation_id: UUID, query: Query[AnchorQuery]) -> Status[Cut]:
    """The anchors in a state (current ones where none is named), the most important first."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    rows = Anchor.objects.filter(conversation=conversation)
    rows = rows.filter(type=query.type) if query.type else rows
    rows = rows.filter(state=query.state) if query.state else rows
    return Status(200, cut(rows, query, BY_VALUE))
