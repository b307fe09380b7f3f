"""The context that participants read before they speak (FR-019): who is there, the workflow, the latest messages, and what was earlier."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from continuity.core.errors import Invalid
from continuity.groups.context import LEAST, MOST, ContextMessage, SharedContext, fill
from continuity.groups.workflow import Workflow
from continuity.models import CompressedSegment, Group, GroupParticipant, Level, Team
from continuity.services.groups import group_sql, groups, situations
from continuity.usage import tokens

# The latest messages that compete for the room, and segments before them.
MESSAGES, SEGMENTS = 200, 40
LINE = 400


@dataclass(frozen=True, slots=True)
class GroupContext:
    group: Group
    participants: Sequence[GroupParticipant]
    workflow: Workflow
    shared: SharedContext


def context(*, team: Team, group_id: UUID, budget: int) -> GroupContext:
    """Within `budget` tokens of the conversation's model; four queries. Raises NotFound, and Invalid on a budget that can't be."""
    if not LEAST <= budget <= MOST:
        raise Invalid(f"budget must lie between {LEAST:,} and {MOST:,} tokens.", field="budget")
    group = groups.get(team=team, group_id=group_id)
    conversation = group.conversation
    latest = situations.latest_messages(conversation.id, MESSAGES)
    messages = [ContextMessage(each.seq, each.speaker, each.text, max(1, each.tokens)) for each in latest]
    first = messages[0].seq if messages else 1
    before = max(0, conversation.message_count - len(messages))
    shared = fill(
        messages, _earlier(conversation.id, first), budget=budget, count=tokens.counter_for(conversation.model).count, before=before
    )
    return GroupContext(group, group_sql.participants(group.id), group.steps, shared)


def _earlier(conversation_id: UUID, first: int) -> list[str]:
    """The briefs of the segments before, the oldest first; the latest that is told lies within what is shown."""
    rows = CompressedSegment.objects.filter(segment__conversation=conversation_id, segment__first_seq__lt=max(first, 2), level=Level.BRIEF)
    latest = rows.order_by("-segment__first_seq").values_list("segment__first_seq", "segment__last_seq", "content")[:SEGMENTS]
    return [f"Messages {begin} to {end}: {' '.join(content.split())[:LINE]}" for begin, end, content in reversed(list(latest))]
