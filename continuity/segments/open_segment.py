"""The segment that still grows: all that segmenting keeps between two messages, bounded and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.segments.incoming import IncomingMessage
from continuity.segments.model import Segment
from continuity.segments.topics import title_of, topic

# Entries and bytes of JSON.
WAITING = (64, 6_000)
TERMS = (400, 8_000)
FILES = (20, 2_400)
# A call that so many messages did not answer never will be.
PATIENCE = 20
_PLAIN = ("first_seq", "last_seq", "messages", "tokens", "last_at", "asked", "told")
_MAPS = ("waiting", "terms", "files")


@dataclass(slots=True)
class OpenSegment:
    """At most some 17 KB, however long the conversation. `waiting` holds the calls without result with the number of the
    message (within the segment) that made them, `terms` and `files` how often each was named. `last_at` is a POSIX time."""

    first_seq: int = 0
    last_seq: int = 0
    messages: int = 0
    tokens: int = 0
    last_at: float | None = None
    asked: str = ""
    told: str = ""
    waiting: BoundedMap[int] = field(default_factory=lambda: BoundedMap(int, *WAITING))
    terms: BoundedMap[int] = field(default_factory=lambda: BoundedMap(int, *TERMS))
    files: BoundedMap[int] = field(default_factory=lambda: BoundedMap(int, *FILES))

    @property
    def waits(self) -> bool:
        """Whether a call of the segment still has to be answered."""
        return any(self.messages - made < PATIENCE for made in self.waiting.values())

    def add(self, message: IncomingMessage) -> None:
        self.first_seq = self.first_seq or message.seq
        self.last_seq = message.seq
        self.messages += 1
        self.tokens += message.tokens
        self.last_at = message.at.timestamp() if message.at else self.last_at
        self.asked = self.asked or title_of(message.asked)
        self.told = self.told or title_of(message.told)
        for answer in message.answers:
            self.waiting.pop(answer or next((key for key in self.waiting if key.startswith("#")), ""))
        for call in message.calls:
            self.waiting.put(call[:200], self.messages)
        for term in message.terms:
            self.terms.put(term, (self.terms.get(term) or 0) + 1)
        for path in message.files:
            self.files.put(path, (self.files.get(path) or 0) + 1)

    def so_far(self) -> Segment:
        """The segment as it would be if it ended here."""
        files = sorted(self.files, key=lambda path: -(self.files.get(path) or 0))
        title = topic(self.asked, self.told, files, self.first_seq, self.last_seq)
        return Segment(self.first_seq, self.last_seq, title, self.tokens, self.messages)

    def copy(self) -> OpenSegment:
        return OpenSegment(*(getattr(self, name) for name in _PLAIN), *(getattr(self, name).copy() for name in _MAPS))

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _PLAIN} | {name: getattr(self, name).to_json() for name in _MAPS}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> OpenSegment:
        """The inverse of `to_json`; an empty object is the state before the first message. Raises KeyError on another shape."""
        opened = cls()
        if raw:
            for name in _PLAIN:
                setattr(opened, name, raw[name])
            for name in _MAPS:
                getattr(opened, name).load(raw[name])
        return opened
