"""What of a segment can be told where some of it raises: the rest. Pure; nothing of this runs unless telling it raised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from continuity.core.isolation import NOT_ITS_FAULT
from continuity.knowledge.model import Anchor
from continuity.transcripts.base.model import Message

T = TypeVar("T")


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


def without_faults(material: Material, tell: Callable[[Material], T], otherwise: T) -> T:
    """What `tell` makes of the material: where that raises, of its messages and anchors that can be told by themselves; `otherwise`
    where nothing can be told even of those."""
    try:
        return tell(material)
    except NOT_ITS_FAULT:
        raise
    except Exception:  # noqa: BLE001, S110  what raises by itself is left out below
        pass
    messages = [each for each in material.messages if _holds(tell, replace(material, messages=[each], anchors=[]))]
    anchors = [each for each in material.anchors if _holds(tell, replace(material, messages=[], anchors=[each]))]
    sound = replace(material, messages=messages, anchors=anchors)
    return tell(sound) if _holds(tell, sound) else otherwise


def _holds(tell: Callable[[Material], object], material: Material) -> bool:
    try:
        tell(material)
    except NOT_ITS_FAULT:
        raise
    except Exception:  # noqa: BLE001  whoever asks leaves it out
        return False
    return True
