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
        # One that nobody used, as far as is known, counts as old as the conversation.
        self._unused = TermUse(last_seq=seq - self._messages)

    def weight(self, term: str) -> float:
        """How seldom the term is (the logarithm of one in so many messages) times the chance that it is used again."""
        return self.weighed((term,))[term]

    def weighed(self, terms: Iterable[str]) -> dict[str, float]:
        """The terms with their weights."""
        known = self._known
        found: dict[str, float] = {}
        for term in terms:
            weight = known.get(term)
            found[term] = known[term] = self._reckoned(term) if weight is None else weight
        return found

    def _reckoned(self, term: str) -> float:
        """As `chance` says by `marks_of`, written out: it is asked of every term of what is kept, and that takes half the time."""
        use = self._uses.get(term) or self._unused
        person, agent = use.person, use.agent
        rare = log((self._messages + 1) / (agent + person + 0.5))
        if rare <= 0:
            return 0.0
        constant, by_age, by_agent, by_person, in_prompt, as_name = WEIGHTS.values
        age = self._seq - use.last_seq
        total = constant + log1p(age) * by_age if age > 0 else constant
        total += log1p(agent) * by_agent
        if person:
            total += log1p(person) * by_person
            if use.heard_seq == self._prompt:
                total += in_prompt
        if not (term.isalpha() and (term.islower() or term == term.lower())):
            total += as_name
        return rare * (1.0 / (1.0 + exp(-total)) if -STEEPEST < total < STEEPEST else float(total > 0))
