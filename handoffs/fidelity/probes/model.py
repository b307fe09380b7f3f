"""Questions to a directive. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ProbeKind(StrEnum):
    """What an answer is about: a recurring identifier, a changed file, a choice, where the work stands, a rule of the user, a failure, what
    was done already."""

    RECALL = "recall"
    ARTIFACT = "artifact"
    DECISION = "decision"
    CONTINUATION = "continuation"
    CONSTRAINT = "constraint"
    ERROR = "error"
    OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Probe:
    """A question, the words of message `seq` that answer it (0: of an earlier conversation of the chain), and its weight, 0..1."""

    kind: ProbeKind
    question: str
    expected: str
    seq: int
    weight: float
