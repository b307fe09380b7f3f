"""Summarises a segment without the messages that raise. Pure; runs only after summarising the whole raised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from continuity.core.isolation import NOT_ITS_FAULT, MessageSkipped, error_type, place_of
from continuity.knowledge.model import Anchor
from continuity.transcripts.base.model import Message

T = TypeVar("T")
READER = "summaries"


@dataclass(frozen=True, slots=True)
class Material:
    """The messages of a segment (or of a part of it) with their numbers, the anchors that stand in them, the segment's title,
    and its length in tokens of the conversation's model."""

    messages: Sequence[tuple[int, Message]]
    anchors: Sequence[Anchor]
    topic: str
    tokens: int

    @property
    def first_seq(self) -> int:
        return self.messages[0][0] if self.messages else 0

    @property
    def last_seq(self) -> int:
        return self.messages[-1][0] if self.messages else 0


def without_faults(material: Material, tell: Callable[[Material], T], otherwise: T, skipped: list[MessageSkipped] | None = None) -> T:
    """Run `tell` on the material: where that raises, of its messages and anchors that can be told by themselves; `otherwise`
    where nothing can be told even of those. `skipped` gets the messages that were left out."""
    try:
        return tell(material)
    except NOT_ITS_FAULT:
        raise
    except Exception:  # noqa: BLE001, S110  what raises by itself is left out below
        pass
    faults = {seq: _fault(tell, replace(material, messages=[(seq, message)], anchors=[])) for seq, message in material.messages}
    if skipped is not None:
        skipped += (MessageSkipped(seq, READER, error_type(fault), place_of(fault)) for seq, fault in faults.items() if fault)
    messages = [each for each in material.messages if faults[each[0]] is None]
    anchors = [each for each in material.anchors if _fault(tell, replace(material, messages=[], anchors=[each])) is None]
    sound = replace(material, messages=messages, anchors=anchors)
    return tell(sound) if _fault(tell, sound) is None else otherwise


def _fault(tell: Callable[[Material], object], material: Material) -> Exception | None:
    try:
        tell(material)
    except NOT_ITS_FAULT:
        raise
    except Exception as fault:  # noqa: BLE001  whoever asks leaves it out
        return fault
    return None
