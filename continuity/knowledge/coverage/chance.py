"""The chance that a term is used again, from few marks of its uses, and what it weighs by that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, log1p
from typing import TypeAlias

from continuity.knowledge.coverage.term_uses import ANY, TermUse, TermUses
from continuity.knowledge.coverage.terms import is_name
from continuity.knowledge.coverage.weights import WEIGHTS

Marks: TypeAlias = Sequence[float]

STEEPEST = 30.0


def marks_of(term: str, use: TermUse, seq: int, prompt: int) -> tuple[float, ...]:
    """What tells at message `seq` whether a term is used again, in the order of `weights.NAMES`; `prompt` is the person's last message."""
    age = seq - use.last_seq
    return (
        1.0,
        log1p(age) if age > 0 else 0.0,
        log1p(use.agent),
        log1p(use.person),
        1.0 if use.person and use.heard_seq == prompt else 0.0,
        1.0 if is_name(term) else 0.0,
    )


def chance(marks: Sequence[float], weights: Sequence[float]) -> float:
    """The chance of being used again, 0..1. Written out, since it is asked of every term of a message."""
    a, b, c, d, e, f = marks
    u, v, w, x, y, z = weights
    total = a * u + b * v + c * w + d * x + e * y + f * z
    return 1.0 / (1.0 + exp(-total)) if -STEEPEST < total < STEEPEST else float(total > 0)


class Judge:
    """What terms weigh after message `seq`; each is reckoned once."""

    def __init__(self, uses: TermUses, seq: int) -> None:
        self._uses = uses
        self._seq = seq
        every = uses.use_of(ANY)
        self._messages, self._prompt = every.agent + every.person, every.heard_seq
        self._known: dict[str, float] = {}

    def weight(self, term: str) -> float:
        """How seldom the term is (the logarithm of one in so many messages) times the chance that it is used again."""
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = self._reckoned(term)
        return known

    def weighed(self, terms: Iterable[str]) -> dict[str, float]:
        """The terms with their weights."""
        known, weight = self._known, self.weight
        return {term: known[term] if term in known else weight(term) for term in terms}

    def _reckoned(self, term: str) -> float:
        # One that nobody used, as far as is known, counts as old as the conversation.
        use = self._uses.get(term) or TermUse(last_seq=self._seq - self._messages)
        times = use.agent + use.person
        rare = log((self._messages + 1) / (times + 0.5))
        return rare * chance(marks_of(term, use, self._seq, self._prompt), WEIGHTS.values) if rare > 0 else 0.0
