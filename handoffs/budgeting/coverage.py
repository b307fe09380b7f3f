"""Measures what a line adds to other lines: the names and words in it that nobody said yet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

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


class Terms(NamedTuple):
    """The distinctive terms of a text, lower case: names and numbers, which weigh double, and other words."""

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


NOTHING = Terms()


def terms_of(text: str) -> Terms:
    """The terms of a text; a name is what is not spelled like a plain word."""
    names, words = [], []
    for term in {*_TERM.findall(text)}:
        if not (term.isalpha() and (term.islower() or term.istitle())):
            names.append(term.lower())
        elif len(term) >= SHORTEST_WORD:
            words.append(term.lower())
    return Terms(frozenset(names), frozenset(words) - _COMMON)


class CoverageTracker:
    """The terms that were said so far."""

    def __init__(self, said: Iterable[Terms] = ()) -> None:
        self._terms: set[str] = set().union(*(part for terms in said for part in (terms.names, terms.words)))

    def add(self, said: Terms) -> None:
        self._terms |= said.names
        self._terms |= said.words

    def factor(self, said: Terms, floor: float = FLOOR) -> float:
        """The share of a line's value that is left beside what was said: `floor` where all is known, 1.0 where all is new or none tells."""
        total = NAME_WEIGHT * len(said.names) + len(said.words)
        if not total:
            return 1.0
        new = NAME_WEIGHT * len(said.names - self._terms) + len(said.words - self._terms)
        return floor + (1 - floor) * new / total
