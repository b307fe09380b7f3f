"""The earlier course of a conversation within a budget: each segment at the level that the room gives it."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from continuity.core.errors import NotFound
from continuity.models import Anchor, Segment, Team
from continuity.segments import Level
from continuity.segments.allocation import RoomPart, allocate, rebalance, segment_worths
from continuity.services.accounts import gates
from continuity.services.recording import conversations
from continuity.services.segments import segments
from continuity.services.segments.segments import GATES, SummarisedSegment

LATEST = 40  # segments that compete for the room, however many there are


def outline(
    *, team: Team, conversation_id: UUID, budget: int, expanded: UUID | None = None, level: Level = Level.DETAILED
) -> list[SummarisedSegment]:
    """The latest closed segments, and the `expanded` one, within `budget` tokens of the conversation's model; in their order.

    The expanded one is told at `level` if that fits, the others give way. At most LATEST + 1 are read. Raises NotFound, GateClosed.
    """
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    gates.require(team, GATES[level])
    levels = [each for each in (Level.TAGS, Level.BRIEF, Level.DETAILED) if gates.is_open(team, GATES[each])]
    here = Anchor.objects.filter(conversation=conversation, origin_conversation=None).current()
    inside = here.filter(source_seq__gte=OuterRef("first_seq"), source_seq__lte=OuterRef("last_seq"))
    rows = Segment.objects.filter(conversation=conversation, closed=True).annotate(anchored=Exists(inside)).order_by("-first_seq")
    latest = list(rows[:LATEST])
    if expanded and expanded not in {row.id for row in latest}:
        latest += rows.filter(Q(id=expanded))
    forms = [{each.id: each for each in segments.levels_of(conversation=conversation, rows=latest, level=one)} for one in levels]
    latest = [row for row in latest if all(row.id in form for form in forms)]
    if expanded and expanded not in {row.id for row in latest}:
        raise NotFound(noun="segment")
    told = {str(row.id): tuple(form[row.id] for form in forms) for row in latest}
    last = max(1, conversation.last_seq)
    parts = [
        RoomPart(
            key=str(row.id),
            costs=tuple(each.content_tokens or 0 for each in told[str(row.id)]),
            worths=segment_worths(len(levels), anchored=row.anchored, late=row.first_seq / last),
        )
        for row in latest
    ]
    made = allocate(parts, budget)
    if expanded:
        made = rebalance(made, str(expanded), levels.index(level))
    chosen = [told[key][form] for key, form in made.forms.items()]
    return sorted(chosen, key=lambda each: each.first_seq)
