"""The course of a conversation: its segments at a level of detail, each expanded in place."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.core.errors import Invalid
from continuity.models import Conversation, Segment
from continuity.segments import Level
from continuity.services.accounts import gates
from continuity.services.recording import conversations
from continuity.services.segments import segments
from continuity.services.segments.segments import GATES, SummarisedSegment
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import in_order

PAGE_SIZE = 20
LATEST = 6
NAMES = {Level.TAGS: "Tags", Level.BRIEF: "Brief", Level.DETAILED: "Detailed", Level.FULL: "In full"}


@member_page
@require_safe
def listing(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The segments in their order, a page at a time; under htmx the next page. At most five queries where all levels are kept."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    level = _level(request.GET.get("level", ""), shortest(conversation))
    rows = segments.dated(Segment.objects.filter(conversation=conversation))
    page = in_order(rows, {"first_seq": int}, after=request.GET.get("after", ""), size=PAGE_SIZE, ascending=True)
    told = segments.levels_of(conversation=conversation, rows=page.rows, level=level)
    shown = {"conversation": conversation, "page": page, "told": told, "level": level, "levels": NAMES, "paged": "after" in request.GET}
    return render(request, "conversations/course.html#more" if request.htmx else "conversations/course.html", shown)


@member_page
@require_safe
def segment(request: MemberRequest, conversation_id: UUID, segment_id: UUID) -> HttpResponse:
    """One segment at the level asked for; under htmx it takes the place of the other telling."""
    team = request.principal.team
    level = _level(request.GET.get("level", ""), Level.BRIEF)
    told = segments.expand(team=team, conversation_id=conversation_id, segment_id=segment_id, level=level)
    shown = {"conversation": told.segment.conversation, "each": told, "told": [told], "levels": NAMES}
    return render(request, "conversations/segment.html#row" if request.htmx else "conversations/segment.html", shown)


def latest(conversation: Conversation) -> list[SummarisedSegment]:
    """The last few segments as short as the team's tier tells them, the latest first. Two queries where they are kept."""
    rows = Segment.objects.filter(conversation=conversation).order_by("-first_seq")[:LATEST]
    return segments.levels_of(conversation=conversation, rows=list(rows), level=shortest(conversation))


def shortest(conversation: Conversation) -> Level | None:
    """The shortest level that the team's tier opens."""
    return next((level for level in (Level.TAGS, Level.BRIEF) if gates.is_open(conversation.team, GATES[level])), None)


def _level(text: str, otherwise: Level | None) -> Level:
    if not text:
        return Level.FULL if otherwise is None else otherwise
    if text not in {str(int(level)) for level in Level}:
        raise Invalid("The level must be 0, 1, 2 or 3.", field="level")
    return Level(int(text))
