"""From a level to the one below it: 3 → 2 → 1 → 0, of a whole segment or of the part that a marker names."""

from __future__ import annotations

from dataclasses import replace

from continuity.segments.fault_isolation import Material
from continuity.segments.levels import summarise
from continuity.segments.model import Level, Levelled, Marker
from continuity.usage.tokens import Counter, message_tokens


def below(level: Level) -> Level:
    """The next more detailed level. Raises ValueError at the original itself."""
    if level is Level.FULL:
        raise ValueError("level 0 is the original: nothing is below it")
    return Level(level - 1)


def expand(material: Material, told: Levelled, counter: Counter, *, marker: Marker | None = None) -> Levelled:
    """Expand what `told` says of the material: the whole of it one level below, or the messages of one of its markers.

    Raises ValueError at level 0.
    """
    if marker is None:
        return summarise(material, below(told.level), counter)
    return summarise(within(material, marker.first_seq, marker.last_seq, counter), Level(marker.level), counter)


def within(material: Material, first_seq: int, last_seq: int, counter: Counter) -> Material:
    """The part of the material from one message to another, with its own length."""
    messages = [(seq, message) for seq, message in material.messages if first_seq <= seq <= last_seq]
    anchors = [anchor for anchor in material.anchors if first_seq <= anchor.ref.seq <= last_seq]
    tokens = sum(message_tokens(message, counter) for _, message in messages)
    return replace(material, messages=messages, anchors=anchors, tokens=tokens)
