"""Writing segments as rows while a conversation is folded, and taking them back. The caller holds the transaction."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from continuity.knowledge.model import AnchorSettled, AnchorState, Change
from continuity.models import Anchor, CompressedSegment, Conversation, Segment
from continuity.segments import OpenSegment, Segmented
from continuity.segments import Segment as Found
from continuity.services.recording.row_sql import upsert


def write(*, conversation: Conversation, divided: Segmented) -> None:
    """Stores the segments that were closed, and the open one as far as it goes. One statement."""
    rows = [_row(conversation, found, closed=True) for found in divided.closed]
    if divided.state.messages:
        rows.append(_row(conversation, divided.state.so_far(), closed=False))
    upsert(rows, unique=("conversation", "first_seq"), update=("last_seq", "topic", "tokens", "closed"))


def _row(conversation: Conversation, found: Found, *, closed: bool) -> Segment:
    return Segment(
        conversation=conversation,
        team_id=conversation.team_id,
        first_seq=found.first_seq,
        last_seq=found.last_seq,
        topic=found.topic,
        tokens=found.tokens,
        closed=closed,
    )


def outdate_replaced(*, conversation: Conversation, changes: Sequence[Change]) -> int:
    """Marks the segments with anchors that these changes replaced: told as they were, they would show what no longer holds.
    Returns how many."""
    keys = [change.key for change in changes if isinstance(change, AnchorSettled) and change.state is AnchorState.SUPERSEDED]
    return _outdate(conversation, Q(key__in=keys)) if keys else 0


def _outdate(conversation: Conversation, which: Q) -> int:
    """Takes the levels of the segments that hold certain anchors, so that they are made again."""
    inside = Anchor.objects.filter(
        which,
        conversation=conversation,
        origin_conversation=None,
        source_seq__gte=OuterRef("first_seq"),
        source_seq__lte=OuterRef("last_seq"),
    )
    told = Segment.objects.filter(Exists(inside), conversation=conversation).exclude(told_at=None)
    # The segments before their levels, as whoever makes a level again holds them.
    ids = list(told.select_for_update(of=("self",)).order_by("id").values_list("id", flat=True))
    CompressedSegment.objects.filter(segment__in=ids).delete()
    return Segment.objects.filter(id__in=ids).update(told_at=None)


def hold(*, conversations: Sequence[UUID]) -> None:
    """Waits for whoever tells a segment of these conversations from its messages, and keeps others from beginning."""
    list(Segment.objects.select_for_update().filter(conversation__in=conversations).order_by("id").values_list("id"))


def forget_after(*, conversation: Conversation, seq: int, opened: OpenSegment) -> None:
    """Takes the rows back to when the fold stood at `seq` with `opened` as the open segment; before anchors are taken back."""
    Segment.objects.filter(conversation=conversation, first_seq__gte=opened.first_seq or seq + 1).delete()
    _outdate(conversation, Q(settled_seq__gt=seq, state=AnchorState.SUPERSEDED))
