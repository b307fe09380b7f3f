"""The messages of segments with the anchors that stand in them, as they are told from; read for many segments at once."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from continuity.knowledge import model as distilled
from continuity.models import Anchor, Message, Segment
from continuity.secrets import message_masking
from continuity.segments import Material
from continuity.segments.masking import hidden
from continuity.services.knowledge import queries
from continuity.transcripts.base import model as transcript


def materials(segments: Sequence[Segment]) -> list[Material]:
    """The material of each of these segments of one conversation, in their order, secrets masked. Two queries, however many there are."""
    if not segments:
        return []
    conversation_id, runs = segments[0].conversation_id, _runs(segments)
    rows = _messages(conversation_id, runs)
    masked = {row.seq for row in rows if row.secrets}
    for row in rows:
        row.parts = message_masking.masked(row.parts, row.secrets)
    messages = {row.seq: row.as_transcript() for row in rows}
    anchors = _anchors(conversation_id, runs)
    found = [hidden(anchor, messages) if anchor.ref.seq in masked else anchor for anchor in anchors]
    return [_of(segment, messages, found) for segment in segments]


def _of(segment: Segment, messages: dict[int, transcript.Message], anchors: Sequence[distilled.Anchor]) -> Material:
    numbers = range(segment.first_seq, segment.last_seq + 1)
    inside = [(seq, messages[seq]) for seq in numbers if seq in messages]
    return Material(inside, [anchor for anchor in anchors if anchor.ref.seq in numbers], segment.topic, segment.tokens)


def _runs(segments: Sequence[Segment]) -> list[tuple[int, int]]:
    """The messages of all of the segments; those that follow one another as one run, so that the index is read once for them."""
    runs: list[tuple[int, int]] = []
    for first, last in sorted((segment.first_seq, segment.last_seq) for segment in segments):
        if runs and first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]))
        else:
            runs.append((first, last))
    return runs


def _messages(conversation_id: UUID, runs: Sequence[tuple[int, int]]) -> list[Message]:
    """The messages of all runs."""
    within = reduce(or_, (Q(seq__range=run) for run in runs))
    return list(Message.objects.filter(within, conversation=conversation_id, abandoned=False).order_by("seq"))


def _anchors(conversation_id: UUID, runs: Sequence[tuple[int, int]]) -> list[distilled.Anchor]:
    if len(runs) == 1:
        return queries.anchors_between(conversation_id, *runs[0])
    within = reduce(or_, (Q(source_seq__range=run) for run in runs))
    rows = Anchor.objects.filter(within, conversation=conversation_id, origin_conversation=None).exclude(state="dismissed")
    return rows.as_distilled()
