"""How much a line says that other lines do not: the names and words in it that nobody said yet."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A name, a number or a word of four letters or more; names keep their dots, dashes and underscores.
_TERM = re.compile(r"[^\W_][\w.#/@-]*\w|\d")
_COMMON = frozenset(
    """about above after again against also because been before being between both came come could does doing done each even every
    from further given gives goes going have having here into just like look make makes many more most much must need needs never
    next only onto other over same says should since some such than that their them then there these they thing this those through
    under until upon very want wants were what when where which while will with without would your yours already always another
    around""".split()  # noqa: SIM905
)
SHORTEST_WORD = 4
NAME_WEIGHT = 2
# A line that says nothing new keeps this share of its value.
FLOOR = 0.6


@dataclass(frozen=True, slots=True)
class Terms:
    """The distinctive terms of a text, lower case: names and numbers, which weigh double, and other words."""

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


NOTHING = Terms()


def terms_of(text: str) -> Terms:
    """The terms of a text; a name is what is not spelled like a plain word."""
    found = set(_TERM.findall(text))
    words = {term for term in found if term.isalpha() and (term.islower() or term.istitle())}
    names = frozenset(term.lower() for term in found - words)
    return Terms(names, frozenset(term.lower() for term in words if len(term) >= SHORTEST_WORD) - _COMMON)


class Said:
    """The terms that were said so far."""

    def __init__(self) -> None:
        self._terms: set[str] = set()

    def add(self, said: Terms) -> None:
        self._terms |= said.names
        self._terms |= said.words

    def factor(self, said: Terms) -> float:
        """What is left of a line's value beside what was said: FLOOR where all is known, 1.0 where all is new or none tells."""
        total = NAME_WEIGHT * len(said.names) + len(said.words)
        if not total:
            return 1.0
        new = NAME_WEIGHT * len(said.names - self._terms) + len(said.words - self._terms)
        return FLOOR + (1 - FLOOR) * new / total
