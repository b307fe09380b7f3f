"""The anchors of a conversation: what must survive of it."""

from uuid import UUID

from ninja import Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.distill.model import AnchorState, AnchorType, Truth
from continuity.models import Anchor
from continuity.services import conversations

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
    text: str
    importance: float
    critical: bool
    truth: Truth
    state: AnchorState
    method: str
    source_seq: int
    origin_conversation_id: UUID | None
    subject: str
    rationale: str
    rejected: str
    superseded_by: str
    settled_seq: int | None
    pinned: bool

    @staticmethod
    def resolve_text(anchor: Anchor) -> str:
        return str(hide(anchor.text))

    @staticmethod
    def resolve_subject(anchor: Anchor) -> str:
        return str(hide(anchor.subject))

    @staticmethod
    def resolve_rationale(anchor: Anchor) -> str:
        return str(hide(anchor.rationale))

    @staticmethod
    def resolve_rejected(anchor: Anchor) -> str:
        return str(hide(anchor.rejected))


@router.get("/conversations/{uuid:conversation_id}/anchors", auth=READ, response=answers(Page[AnchorOut]), summary="List anchors")
def list_anchors(request: ApiRequest, conversation_id: UUID, query: Query[AnchorQuery]) -> Status[Cut]:
    """The anchors in a state (current ones where none is named), the most important first."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    rows = Anchor.objects.filter(conversation=conversation)
    rows = rows.filter(type=query.type) if query.type else rows
    rows = rows.filter(state=query.state) if query.state else rows
    return Status(200, cut(rows, query, BY_VALUE))
