"""Finds by its letters which of many patterns can match a text at all, before any of them is tried.

Most patterns hold nothing in most sentences, and trying one takes a hundred times as long as asking whether a text has the words
that it can't match without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from re import _constants as op  # type: ignore[attr-defined, unused-ignore]  # what `re.compile` itself reads patterns with
from re import _parser as parser  # type: ignore[attr-defined, unused-ignore]
from typing import Any

from continuity.knowledge.state.fold_cache import cached

SIZE = 3  # letters by which a word is looked up
MOST = 64  # words spelled out of alternatives that follow one another
EDGE = "\b"  # stands in what is spelled out where a word must begin or end

Words = frozenset[str]

_REPEATS = frozenset((op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT))
_PLACES = frozenset((op.AT, op.ASSERT, op.ASSERT_NOT))
_EDGES = frozenset((op.AT_BEGINNING, op.AT_BEGINNING_STRING, op.AT_BOUNDARY))
_NOTHING: Words = frozenset(("",))
_WORD = re.compile(rf"\b\w{{1,{SIZE}}}")
# Within what is spelled out, a run of letters that begins a word of the text: its first letters, or all of a shorter one.
_BEGUN = re.compile(rf"(?<=[^\w])(?:\w{{{SIZE}}}|\w+(?=[^\w]))")


class Prefilter:
    """Patterns over lower-case text, to be asked which of them a text can match; they are numbered in the order given."""

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        each = [needed(pattern) for pattern in patterns]
        self._always = {number for number, words in enumerate(each) if not words}
        self._begun: dict[str, list[tuple[str, int]]] = {}
        shared = Counter(begun for words in each for word in words for begun in {*_BEGUN.findall(word)})
        for number, words in enumerate(each):
            for word in words:
                # By what fewest words begin with: "the root cause" is not looked for wherever "the" stands.
                begun = min(_BEGUN.findall(word), key=lambda begun: (-len(begun), shared[begun]), default="")
                self._begun.setdefault(begun, []).append((word.replace(EDGE, ""), number))
        self._anywhere = self._begun.pop("", [])

    def left(self, low: str) -> list[int]:
        """The numbers of the patterns that may match, in order; those that are missing can't."""
        numbers = self._always.copy()
        for letters in self._begun.keys() & _beginnings(low):
            for word, number in self._begun[letters]:
                if number not in numbers and word in low:
                    numbers.add(number)
        for word, number in self._anywhere:
            if word in low:
                numbers.add(number)
        return sorted(numbers)


class PrefilteredPattern:
    """A pattern that is only tried on a text with one of the words that it can't match without, and compiled when it is asked first."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._text, self._flags = pattern, flags
        self._lowers = bool(flags & re.IGNORECASE)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._text, self._flags)

    @cached_property
    def _words(self) -> list[str]:
        return _without_longer(frozenset(word.replace(EDGE, "") for word in needed(self._pattern, 1)))

    def search(self, text: str, low: str | None = None) -> re.Match[str] | None:
        """The first match in a text, which is in lower case unless the pattern takes both cases for one; `low` is the text in
        lower case where that is at hand."""
        low = low if low is not None else text.lower() if self._lowers else text
        for word in self._words:
            if word in low:
                return self._pattern.search(text)
        return None if self._words else self._pattern.search(text)


@cached
def _beginnings(low: str) -> frozenset[str]:
    """The first letters of the words of a text."""
    return frozenset(_WORD.findall(low))


def _without_longer(words: Words) -> list[str]:
    """The words that hold no other of them."""
    return sorted(word for word in words if not any(other in word for other in words - {word}))


def needed(pattern: re.Pattern[str], least: int = SIZE) -> Words:
    """Words in lower case, of `least` letters or more, of which every match of the pattern holds one, with `EDGE` where they
    must begin or end; empty where it needs none."""
    return _needed(parser.parse(pattern.pattern, pattern.flags & ~re.IGNORECASE), least)


def _needed(nodes: Iterable[Any], least: int) -> Words:
    """Of what must stand in one after the other, the most telling."""
    choices: list[Words] = []
    run = _NOTHING
    edge: list[Any] = []  # the node before, where a word begins behind it
    for node in nodes:
        spelled = _spelled(node)
        if spelled is not None and len(run) * len(spelled) <= MOST:
            run = frozenset(begun + end for begun in run for end in spelled)
        else:
            choices += [run, spelled if spelled is not None else _needed_in(node, least, edge)]
            run = _NOTHING
        edge = [node] if node[0] is op.AT else []
    found = [words for words in [*choices, run] if words and _shortest(words) >= least]
    return max(found, key=lambda words: (_shortest(words), -len(words)), default=frozenset())


def _shortest(words: Words) -> int:
    return min(len(word.replace(EDGE, "")) for word in words)


def _needed_in(node: tuple[Any, Any], least: int, edge: list[Any]) -> Words:
    kind, value = node
    if kind is op.BRANCH:
        each = [_needed([*edge, *branch], least) for branch in value[1]]
        return frozenset().union(*each) if all(each) else frozenset()
    if kind is op.SUBPATTERN:
        return _needed([*edge, *value[-1]], least)
    if kind is op.ATOMIC_GROUP:
        return _needed(value, least)
    return _needed(value[2], least) if kind in _REPEATS and value[0] > 0 else frozenset()


def _spelled(node: tuple[Any, Any]) -> Words | None:
    """All that a node can match in lower case, where that is little."""
    kind, value = node
    if kind is op.LITERAL:
        return frozenset((chr(value).lower(),))
    if kind in _PLACES:
        return frozenset((EDGE,)) if value in _EDGES else _NOTHING
    if kind is op.IN and all(inner is op.LITERAL for inner, _ in value):
        return frozenset(chr(letter).lower() for _, letter in value)
    if kind is op.BRANCH:
        return _any_of([_spelled_out(branch) for branch in value[1]])
    if kind is op.SUBPATTERN:
        return _spelled_out(value[-1])
    if kind in _REPEATS and value[:2] == (0, 1):
        return _any_of([_NOTHING, _spelled_out(value[2])])
    return None


def _spelled_out(nodes: Iterable[Any]) -> Words | None:
    whole = _NOTHING
    for node in nodes:
        spelled = _spelled(node)
        if spelled is None or len(whole) * len(spelled) > MOST:
            return None
        whole = frozenset(begun + end for begun in whole for end in spelled)
    return whole


def _any_of(choices: list[Words | None]) -> Words | None:
    return None if None in choices else frozenset().union(*(words for words in choices if words is not None))
