"""The words of a conversation that a package may tell: the sentences kept, and what their terms weigh."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """Whose words a unit holds: what the person or the agent said, what the agent thought, or what a tool printed."""

    PERSON = "person"
    AGENT = "agent"
    THOUGHT = "thought"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class KeptUnit:
    """A sentence, list, table or block of code: `text` stands at `start` to `end` in part `part` of message `seq`, and is whole."""

    text: str
    seq: int
    part: int
    start: int
    end: int
    source: Source = Source.AGENT

    @property
    def place(self) -> tuple[int, int, int]:
        return self.seq, self.part, self.start


@dataclass(frozen=True, slots=True)
class TermWeight:
    """How seldom a term is times the chance that it is used again."""

    term: str
    weight: float


@dataclass(frozen=True, slots=True)
class Carried:
    """The units kept of a conversation in its order, and the weights of their terms; a term that is not among these weighs nothing."""

    units: tuple[KeptUnit, ...] = ()
    weights: tuple[TermWeight, ...] = ()
