"""The course of a session while it is read once: its segments as passages, without keeping its messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from continuity.distill.model import Anchor, AnchorFound, AnchorState, Change, Passage
from continuity.segments import Level, Material, OpenSegment, Segment, segment
from continuity.segments.levels import tell_all
from continuity.segments.pieces import newest, pieces_of
from continuity.segments.units import Unit
from continuity.tokens import Counter
from continuity.transcripts.model import Message

# The latest segments are kept; no budget in use holds more of them.
KEPT = 60
LEVELS = (Level.TAGS, Level.BRIEF, Level.DETAILED)


class Course:
    """Read a session in batches. Holds the messages of the open segment, and the last KEPT ones with their texts."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._open = OpenSegment()
        self._messages: list[tuple[int, Message]] = []
        self._anchors: dict[str, int] = {}
        self._passages: deque[tuple[Passage, tuple[str, ...]]] = deque(maxlen=KEPT)
        self._materials: deque[Material] = deque(maxlen=KEPT)

    def read(self, batch: Sequence[tuple[int, Message, int]], changes: Iterable[Change], anchors: Mapping[str, Anchor]) -> None:
        """The next messages with their tokens, the changes that folding them caused, and all anchors as they stand after that."""
        for change in changes:
            if isinstance(change, AnchorFound):
                self._anchors[change.anchor.key] = change.anchor.ref.seq
        self._messages += [(seq, message) for seq, message, _ in batch]
        found = segment(self._open, batch)
        self._open = found.state
        for closed in found.closed:
            self._tell(closed, anchors)

    def passages(self, anchors: Mapping[str, Anchor]) -> tuple[Passage, ...]:
        """The last segments, oldest first, the open one too; the words of anchors that were replaced since are taken out."""
        last = [self._passage(self._open.so_far(), anchors)] if self._messages else []
        return tuple(_without_replaced(passage, keys, anchors) for passage, keys in (*self._passages, *last))

    def pieces(self, anchors: Mapping[str, Anchor], tokens: int) -> list[Unit]:
        """The pieces of the last segments that hold `tokens` together, with the anchors as they stand now."""
        materials = newest((*self._materials, *([self._material(self._open.so_far(), anchors)] if self._messages else [])), tokens)
        now = ((each, [anchors[anchor.key] for anchor in each.anchors]) for each in materials)
        return pieces_of([replace(each, anchors=standing) for each, standing in now])

    def _tell(self, closed: Segment, anchors: Mapping[str, Anchor]) -> None:
        self._passages.append(self._passage(closed, anchors))
        self._materials.append(self._material(closed, anchors))
        self._messages = [each for each in self._messages if each[0] > closed.last_seq]
        self._anchors = {key: seq for key, seq in self._anchors.items() if seq > closed.last_seq}

    def _passage(self, told: Segment, anchors: Mapping[str, Anchor]) -> tuple[Passage, tuple[str, ...]]:
        material = self._material(told, anchors)
        texts = tuple(level.content for level in tell_all(material, LEVELS, self._counter))
        return Passage(told.first_seq, told.last_seq, told.topic, texts), tuple(anchor.key for anchor in material.anchors)

    def _material(self, told: Segment, anchors: Mapping[str, Anchor]) -> Material:
        keys = [key for key, seq in self._anchors.items() if told.first_seq <= seq <= told.last_seq]
        messages = [each for each in self._messages if each[0] <= told.last_seq]
        return Material(messages, [anchors[key] for key in keys], told.topic, told.tokens)


def _without_replaced(passage: Passage, keys: Sequence[str], anchors: Mapping[str, Anchor]) -> Passage:
    replaced = [anchors[key].text for key in keys if anchors[key].state is AnchorState.SUPERSEDED]
    texts = passage.texts
    for words in replaced:
        texts = tuple(text.replace(words, "") for text in texts)
    return replace(passage, texts=texts) if replaced else passage
