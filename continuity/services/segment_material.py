"""The messages of segments with the anchors that stand in them, as they are told from; read for many segments at once."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from django.db.models import Q

from continuity import masking
from continuity.distill import model as distilled
from continuity.models import Anchor, Message, Segment
from continuity.secrets import mask_text
from continuity.segments import Material
from continuity.transcripts import model as transcript


def materials(segments: Sequence[Segment]) -> list[Material]:
    """The material of each of these segments of one conversation, in their order, secrets masked. Two queries, however many there are."""
    if not segments:
        return []
    place = {"conversation": segments[0].conversation_id}
    rows = list(Message.objects.filter(_within(segments, "seq"), **place, abandoned=False).order_by("seq"))
    masked = {row.seq for row in rows if row.secrets}
    for row in rows:
        row.parts = masking.masked(row.parts, row.secrets)
    messages = {row.seq: row.as_transcript() for row in rows}
    anchors = Anchor.objects.filter(_within(segments, "source_seq"), **place, origin_conversation=None).exclude(state="dismissed")
    found = [_masked(anchor, messages) if anchor.ref.seq in masked else anchor for anchor in anchors.as_distilled()]
    return [_of(segment, messages, found) for segment in segments]


def _of(segment: Segment, messages: dict[int, transcript.Message], anchors: Sequence[distilled.Anchor]) -> Material:
    numbers = range(segment.first_seq, segment.last_seq + 1)
    inside = [(seq, messages[seq]) for seq in numbers if seq in messages]
    return Material(inside, [anchor for anchor in anchors if anchor.ref.seq in numbers], segment.topic, segment.tokens)


def _within(segments: Sequence[Segment], field: str) -> Q:
    """In any of the segments; those that follow one another as one run, so that the index is read once for them."""
    runs: list[tuple[int, int]] = []
    for first, last in sorted((segment.first_seq, segment.last_seq) for segment in segments):
        if runs and first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]))
        else:
            runs.append((first, last))
    return reduce(or_, (Q(**{f"{field}__range": run}) for run in runs))


def _masked(anchor: distilled.Anchor, messages: dict[int, transcript.Message]) -> distilled.Anchor:
    """The anchor without secrets, at the place that its words have in the masked message."""
    text = mask_text(anchor.text)
    parts = messages[anchor.ref.seq].parts
    start = parts[anchor.ref.part].text.find(text) if anchor.ref.part < len(parts) else -1
    span = (start, start + len(text)) if start >= 0 else (0, 0)
    return replace(anchor, text=text, ref=distilled.Ref(anchor.ref.seq, anchor.ref.part, *span))
