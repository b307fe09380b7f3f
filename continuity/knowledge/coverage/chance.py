"""The chance that a term is used again, from few marks of its uses, and what it weighs by that."""

from __future__ import annotations

import math
from collections.abc import Iterable

from continuity.knowledge.coverage.term_uses import ANY, TermUse, TermUses
from continuity.knowledge.coverage.terms import is_name
from continuity.knowledge.coverage.weights import WEIGHTS

STEEPEST = 30.0


def marks_of(term: str, use: TermUse, seq: int, prompt: int) -> tuple[float, ...]:
    """What tells at message `seq` whether a term is used again, in the order of `weights.NAMES`; `prompt` is the person's last message."""
    return (
        1.0,
        math.log1p(max(0, seq - use.last_seq)),
        math.log1p(use.agent),
        math.log1p(use.person),
        1.0 if use.person and use.heard_seq == prompt else 0.0,
        1.0 if is_name(term) else 0.0,
    )


def chance(marks: Iterable[float], weights: Iterable[float]) -> float:
    """The chance of being used again, 0..1."""
    total = sum(mark * weight for mark, weight in zip(marks, weights, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-STEEPEST, min(STEEPEST, total))))


class Judge:
    """What terms weigh after message `seq`; each is reckoned once."""

    def __init__(self, uses: TermUses, seq: int) -> None:
        self._uses = uses
        self._seq = seq
        self._any = uses.use_of(ANY)
        self._known: dict[str, float] = {}

    def weight(self, term: str) -> float:
        """How seldom the term is (the logarithm of one in so many messages) times the chance that it is used again."""
        known = self._known.get(term)
        if known is None:
            use = self._uses.use_of(term)
            rare = math.log((self._any.messages + 1) / (use.messages + 0.5))
            marks = marks_of(term, use, self._seq, self._any.heard_seq)
            known = self._known[term] = max(0.0, rare) * chance(marks, WEIGHTS.values)
        return known
