"""The terms of a text in any script: words, names and numbers, without a list of words to leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from continuity.knowledge.state.fold_cache import cached

READ_FIRST, READ_LAST = 6_000, 4_000  # characters of a text that are read: its beginning, and its end, where it often concludes
SHORTEST_WORD, SHORTEST, LONGEST = 3, 2, 60
MOST = 400  # terms of one message
NESTED = 20  # values of a list that are read, and texts of one call

_TOKEN = re.compile(r"\w++(?:[.@-]++\w++)*+")
# Scripts that put no spaces between words are read two signs at a time.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]++")


@cached
def terms_in(text: str) -> tuple[str, ...]:
    """The terms of a text, each once, as they occur first: plain words in lower case, names as they are written. What is too short or
    too long to be one is left out. Written out, since it is asked of every token of a conversation."""
    found: dict[str, None] = {}
    for token in dict.fromkeys(_TOKEN.findall(text)):
        if not token.isalpha():
            if SHORTEST <= len(token) <= LONGEST:
                found[token] = None
        elif SHORTEST_WORD <= len(token) <= LONGEST or not token.isascii():
            low = token.lower()
            found[low if low == token or token.islower() or token.istitle() else token] = None
    return tuple(found if text.isascii() or all(map(str.isascii, found)) else _spaced(found))


def _spaced(terms: Iterable[str]) -> dict[str, None]:
    """The terms with pairs of signs in place of runs without spaces."""
    found: dict[str, None] = {}
    for term in terms:
        runs = () if term.isascii() else _UNSPACED.findall(term)
        found.update(dict.fromkeys(pair for run in runs for pair in _pairs(run)))
        if not runs and len(term) <= LONGEST:
            found[term] = None
    return found


def _pairs(run: str) -> Iterator[str]:
    yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))


def is_name(term: str) -> bool:
    """Whether a term is written unlike a plain word: with digits, marks or capitals within."""
    return not (term.isalpha() and (term.islower() or term == term.lower()))


def excerpt(text: str) -> str:
    """The beginning and the end of a long text, cut between words where that is near."""
    if len(text) <= READ_FIRST + READ_LAST:
        return text
    return f"{text[:READ_FIRST]}\n{text[-READ_LAST:]}"


def told_to_tool(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The texts that a tool is called with, also those in its lists, no more than so many."""
    for value in list(arguments.values())[:NESTED]:
        if isinstance(value, str):
            yield excerpt(value)
        elif isinstance(value, (list, tuple)):
            for each in value[:NESTED]:
                if isinstance(each, str):
                    yield excerpt(each)
                elif isinstance(each, Mapping):
                    yield from (excerpt(text) for text in list(each.values())[:NESTED] if isinstance(text, str))
