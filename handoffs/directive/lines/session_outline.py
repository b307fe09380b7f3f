"""The course of a session while it is read once: its last segments, told at the end, without keeping its other messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from continuity.core.isolation import Skipped
from continuity.knowledge.model import Anchor, Passage
from continuity.segments import Level, Material, OpenSegment, Segment, segment
from continuity.segments.chunks import newest, pieces_of
from continuity.segments.levels import summarise_all
from continuity.segments.masking import hidden
from continuity.segments.units import Unit
from continuity.transcripts.base.model import Message
from continuity.usage.tokens import Counter
from handoffs.budgeting.reading_bounds import MANY_SEGMENTS

LEVELS = (Level.TAGS, Level.BRIEF, Level.DETAILED)
_NONE: Mapping[int, Message] = {}


class SessionOutline:
    """Read a session in batches. Holds the messages of the open segment, and those of the last closed ones: as many as any budget
    has room for."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._open = OpenSegment()
        self._messages: list[tuple[int, Message]] = []
        self._masked: frozenset[int] = frozenset()
        self._materials: deque[Material] = deque(maxlen=MANY_SEGMENTS)

    def read(self, batch: Sequence[tuple[int, Message, int]], masked: Mapping[int, Message] = _NONE) -> Skipped:
        """Takes the next messages with their tokens, and those that hold secrets once more without them. Gives the messages that dividing
        passed over."""
        self._messages += [(seq, masked.get(seq, message)) for seq, message, _ in batch]
        self._masked |= masked.keys()
        found = segment(self._open, batch)
        self._open = found.state
        for closed in found.closed:
            self._materials.append(self._material(closed))
            self._messages = [each for each in self._messages if each[0] > closed.last_seq]
        return found.skipped

    def passages(self, anchors: Mapping[str, Anchor], limit: int = MANY_SEGMENTS) -> tuple[Passage, ...]:
        """The last `limit` closed segments, oldest first, and the open one, with the anchors as they stand now."""
        closed = list(self._materials)[-limit:]
        return tuple(self._passage(each) for each in self._now([*closed, *self._last()], anchors))

    def pieces(self, anchors: Mapping[str, Anchor], tokens: int, limit: int = MANY_SEGMENTS) -> list[Unit]:
        """The pieces of the last segments that hold `tokens` together, at most `limit`, with the anchors as they stand now."""
        latest = [*self._materials, *self._last()][-limit:]
        return pieces_of(self._now(newest(latest, tokens), anchors))

    def _last(self) -> list[Material]:
        return [self._material(self._open.so_far())] if self._messages else []

    def _material(self, told: Segment) -> Material:
        messages = [each for each in self._messages if each[0] <= told.last_seq]
        return Material(messages, [], told.topic, told.tokens)

    def _now(self, materials: Sequence[Material], anchors: Mapping[str, Anchor]) -> list[Material]:
        """The materials with their anchors."""
        messages = {seq: message for each in materials for seq, message in each.messages}
        standing: dict[int, list[Anchor]] = {}
        for anchor in anchors.values():
            if (seq := anchor.ref.seq) in messages:
                standing.setdefault(seq, []).append(hidden(anchor, messages) if seq in self._masked else anchor)
        return [_with_anchors(each, standing) for each in materials]

    def _passage(self, material: Material) -> Passage:
        texts = tuple(level.content for level in summarise_all(material, LEVELS, self._counter))
        return Passage(material.first_seq, material.last_seq, material.topic, texts)


def _with_anchors(material: Material, standing: Mapping[int, Sequence[Anchor]]) -> Material:
    inside = [anchor for seq, _ in material.messages for anchor in standing.get(seq, ())]
    return Material(material.messages, inside, material.topic, material.tokens)
