"""The files that a conversation touched."""

from uuid import UUID

from django.db.models import Max, Min, Sum
from ninja import Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import MaskedText
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.knowledge.model import FileAction
from continuity.models import FileTouch
from continuity.services.recording import conversations

router = Router(tags=["knowledge"])

LATEST = {"latest": int, "path": str, "action": str}


class FileQuery(PageQuery):
    action: FileAction | None = None


class FileOut(Schema):
    """The work on a path: how often, first and last in which message; 0 and less lie before the beginning."""

    path: MaskedText
    action: FileAction
    touches: int
    first: int
    latest: int


@router.get("/conversations/{uuid:conversation_id}/files", auth=READ, response=answers(Page[FileOut]), summary="List files")
def list_files(request: ApiRequest, conversation_id: UUID, query: Query[FileQuery]) -> Status[Cut]:
    """Each path once for each action, the one touched last first."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    rows = FileTouch.objects.filter(conversation=conversation)
    rows = rows.filter(action=query.action) if query.action else rows
    merged = rows.values("path", "action").annotate(touches=Sum("count"), first=Min("first_seq"), latest=Max("last_seq"))
    return Status(200, cut(merged, query, LATEST))
