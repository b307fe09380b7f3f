"""The earlier course of a conversation: its segments at the level that is asked for, and what they expand to."""

from typing import Any
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import MaskedText
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.models import Segment
from continuity.segments import Level
from continuity.services.recording import conversations
from continuity.services.segments import segments, session_outline
from continuity.services.segments.segments import SummarisedSegment

router = Router(tags=["knowledge"])

IN_ORDER = {"first_seq": int}
LEVELS = "1 is detailed (about 3:1), 2 brief (10:1), 3 tags (50:1)"


class SegmentQuery(PageQuery):
    level: Level | None = Field(None, ge=Level.DETAILED, description=f"Also tell each segment at this level: {LEVELS}.")


class SegmentExpandQuery(Schema):
    """The level and the part to expand to. A marker's own `level`, `first_seq` and `last_seq` expand what it stands for."""

    level: Level = Field(Level.BRIEF, description=f"0 is the original, {LEVELS}.")
    first_seq: int | None = Field(None, ge=1, le=2**31 - 1, description="Only from this message of the segment on.")
    last_seq: int | None = Field(None, ge=1, le=2**31 - 1, description="Only up to this message of the segment.")


class MarkerOut(Schema):
    """At character `offset` of the text, messages `first_seq` to `last_seq` expand to `level`."""

    label: str
    first_seq: int
    last_seq: int
    level: Level
    offset: int


class SegmentOut(Schema):
    """A run of messages on one topic; the last one is open until it is `closed`. `tokens` is its length in the original.

    `content` is its text at `level`, `content_tokens` long, secrets masked; all three are null where no level was asked for.
    """

    id: UUID
    first_seq: int
    last_seq: int
    topic: MaskedText
    tokens: int
    closed: bool
    level: Level | None
    content: MaskedText | None
    content_tokens: int | None
    markers: list[MarkerOut]


@router.get("/conversations/{uuid:conversation_id}/segments", auth=READ, response=answers(Page[SegmentOut]), summary="List segments")
def list_segments(request: ApiRequest, conversation_id: UUID, query: Query[SegmentQuery]) -> Status[Cut]:
    """The segments in their order, at a level where one is named. Levels that expired are made again."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    page = cut(Segment.objects.filter(conversation=conversation), query, IN_ORDER, ascending=True)
    return Status(200, Cut(segments.levels_of(conversation=conversation, rows=page.items, level=query.level), page.next_cursor))


class CourseQuery(Schema):
    budget: int = Field(4000, ge=100, le=200_000, description="Tokens that the texts may take together.")
    expanded: UUID | None = Field(None, description="A segment that is told at `level` before all others.")
    level: Level = Field(Level.DETAILED, ge=Level.DETAILED, description=LEVELS)


class CourseOut(Schema):
    """The latest segments in their order, each at the level that the budget gives it; those without room are left out."""

    budget: int
    used: int
    items: list[SegmentOut]


@router.get(
    "/conversations/{uuid:conversation_id}/course", auth=READ, response=answers(CourseOut), summary="Get the timeline within a budget"
)
def tell_course(request: ApiRequest, conversation_id: UUID, query: Query[CourseQuery]) -> Status[dict[str, Any]]:
    """The earlier course within a budget: as many segments as fit briefly, in detail where they hold anchors, or by tags.

    Expanding one takes room that the others give, the least valuable first.
    """
    found = session_outline.outline(team=request.auth.team, conversation_id=conversation_id, **query.dict())
    return Status(200, {"budget": query.budget, "used": sum(each.content_tokens or 0 for each in found), "items": found})


@router.get(
    "/conversations/{uuid:conversation_id}/segments/{uuid:segment_id}/expand",
    auth=READ,
    response=answers(SegmentOut),
    summary="Expand a segment",
)
def expand_segment(
    request: ApiRequest, conversation_id: UUID, segment_id: UUID, query: Query[SegmentExpandQuery]
) -> Status[SummarisedSegment]:
    """A segment, or the messages that a marker of it names, at a more detailed level: 3 → 2 → 1 → 0, the original."""
    given = query.dict()
    return Status(200, segments.expand(team=request.auth.team, conversation_id=conversation_id, segment_id=segment_id, **given))
