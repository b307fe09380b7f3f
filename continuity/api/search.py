"""Searching what was recorded."""

from dataclasses import asdict
from typing import Annotated, Literal
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from continuity.services.recording import conversations
from continuity.services.search import searching
from continuity.transcripts.base.model import Role

router = Router(tags=["search"])


class SearchHereQuery(Schema):
    q: Annotated[str, Field(min_length=1, max_length=searching.LONGEST, description='Words, "phrases", names and paths; `-word` excludes.')]
    kind: Literal["", "message", "anchor"] = ""
    role: Role | None = Field(None, description="Only messages in this role.")
    tool: str = Field("", max_length=200, description="Only messages that call this tool, such as `Bash`.")
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    cursor: str = Field("", max_length=2000, description="`next_cursor` of the page before; empty for the first page.")
    limit: int = Field(20, ge=1, le=100)


class SearchQuery(SearchHereQuery):
    conversation_id: UUID | None = None
    source_tool: str = Field("", max_length=40, description="Only sessions of this tool, such as `claude-code`.")


class ExcerptOut(Schema):
    """Plain text, never markup; `marks` are half-open character ranges in it."""

    text: str
    marks: list[tuple[int, int]]
    cut_before: bool
    cut_after: bool


class HitOut(Schema):
    """A message, or an anchor with its key, type and state. `seq` is the message in `conversation_id`."""

    kind: Literal["message", "anchor"]
    conversation_id: UUID
    title: str
    seq: int
    role: str
    at: AwareDatetime | None
    rank: float
    excerpt: ExcerptOut
    anchor_key: str
    anchor_type: str
    state: str


class FoundOut(Schema):
    """`only_latest`: more messages or anchors hold the words than the latest 500, which alone are ranked."""

    items: list[HitOut]
    next_cursor: str | None
    only_latest: bool


def _found(request: ApiRequest, query: SearchHereQuery, conversation: UUID | None, source_tool: str = "") -> FoundOut:
    filters = searching.Filters(
        conversation, query.kind, query.role.value if query.role else "", query.tool, source_tool, query.since, query.until
    )
    found = searching.find(team=request.auth.team, words=query.q, filters=filters, cursor=query.cursor, limit=query.limit)
    items = [asdict(hit) for hit in found.hits]
    return FoundOut.model_validate({"items": items, "next_cursor": found.next_cursor, "only_latest": found.only_latest})


@router.get("/search", auth=READ, response=answers(FoundOut), summary="Search")
def search_all(request: ApiRequest, query: Query[SearchQuery]) -> Status[FoundOut]:
    """Searches what the team recorded, the best first: messages and anchors that hold all the words. Masked secrets are not found."""
    return Status(200, _found(request, query, query.conversation_id, query.source_tool))


@router.get("/conversations/{uuid:conversation_id}/search", auth=READ, response=answers(FoundOut), summary="Search a conversation")
def search_conversation(request: ApiRequest, conversation_id: UUID, query: Query[SearchHereQuery]) -> Status[FoundOut]:
    """The same in one conversation."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    return Status(200, _found(request, query, conversation.id))
