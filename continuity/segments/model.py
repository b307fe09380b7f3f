"""A run of messages and how it is told. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any


class Level(IntEnum):
    """How much of a segment is told; what is told at each, against the original, says RATIOS."""

    FULL = 0
    DETAILED = 1
    BRIEF = 2
    TAGS = 3


RATIOS = {Level.FULL: 1, Level.DETAILED: 3, Level.BRIEF: 10, Level.TAGS: 50}


@dataclass(frozen=True, slots=True)
class SegmentLimits:
    """At most `messages` and `tokens` in a segment and at least `minimum` messages; `gap` is a pause in seconds that divides.

    A call and its result stay together and the minimum holds, so the last messages may exceed the upper limits.
    """

    messages: int = 20
    tokens: int = 4000
    minimum: int = 3
    gap: float = 1800.0


@dataclass(frozen=True, slots=True)
class Segment:
    """Messages `first_seq` to `last_seq`, `tokens` long in the conversation's tokens; `topic` is a short title for people."""

    first_seq: int
    last_seq: int
    topic: str
    tokens: int
    messages: int


@dataclass(frozen=True, slots=True)
class Marker:
    """A place where more can be had: at character `offset` of a level's text, messages `first_seq` to `last_seq` expand to `level`."""

    label: str
    first_seq: int
    last_seq: int
    level: int
    offset: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Marker:
        return cls(raw["label"], raw["first_seq"], raw["last_seq"], raw["level"], raw["offset"])


@dataclass(frozen=True, slots=True)
class Levelled:
    """A segment (or a part of it) at one level; `tokens` is the length of `content`."""

    level: Level
    content: str
    markers: tuple[Marker, ...]
    tokens: int
