"""Units of a segment's summary: whole sentences, tool calls in short lines, and the words of anchors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Speaker(StrEnum):
    """The source of a line of a level; the value is how the line begins."""

    PERSON = "User: "
    AGENT = "Agent: "
    DEED = ""
    WRITTEN = "Written: "
    OUTPUT = "Output: "


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece that is told whole or not at all, from part `part` of message `seq`.

    `weight` is its salience, 0..2. `anchor` says that it is the text of a current anchor, verbatim, and `critical` that
    the anchor is one that no level leaves out. `verb` is a deed's ("edited"); deeds that share it are told together.
    """

    seq: int
    part: int
    start: int
    speaker: Speaker
    text: str
    weight: float
    anchor: bool = False
    critical: bool = False
    verb: str = ""
