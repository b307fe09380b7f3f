"""The place of a text that shows best why it was found, with marks as places, never as markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from continuity.search.queries import Query, Term

WIDTH = 260
MOST_HITS = 400
_BEGIN = r"(?:(?<![^\W_])|(?-i:(?<=[a-z0-9])(?=[A-Z])))"
_END = r"(?:(?![^\W_])|(?-i:(?<=[a-z0-9])(?=[A-Z])))"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`marks` are half-open character ranges of `text`; the flags say that more stands before or after it."""

    text: str
    marks: tuple[tuple[int, int], ...]
    cut_before: bool
    cut_after: bool

    @property
    def runs(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is marked."""
        pieces, position = [], 0
        for start, end in self.marks:
            pieces += [(self.text[position:start], False), (self.text[start:end], True)]
            position = end
        return [piece for piece in [*pieces, (self.text[position:], False)] if piece[0]]


def excerpt(text: str, query: Query, width: int = WIDTH) -> Excerpt:
    """About `width` characters of `text`, around the place where the most different terms stand."""
    hits = _hits(text, query)
    start = _best_start(hits, width)
    begin, end = _whole_words(text, max(0, start - width // 4), width)
    marks: list[tuple[int, int]] = []
    for hit_start, hit_end, _term in hits:
        if begin <= hit_start and hit_end <= end and (not marks or hit_start - begin >= marks[-1][1]):
            marks.append((hit_start - begin, hit_end - begin))
    return Excerpt(text[begin:end], tuple(marks), begin > 0, end < len(text))


def _hits(text: str, query: Query) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(query.wanted):
        for match in _pattern(term).finditer(text):
            found.append((match.start(), match.end(), number))
            if len(found) >= MOST_HITS * (number + 1):
                break
    return sorted(found)


@lru_cache(maxsize=256)
def _pattern(term: Term) -> re.Pattern[str]:
    words = r"[\W_]+".join(re.escape(word) for word in term.words)
    return re.compile(_BEGIN + words + (r"[^\W_]*" if term.prefix else _END), re.IGNORECASE)


def _best_start(hits: list[tuple[int, int, int]], width: int) -> int:
    best, best_count = 0, 0
    starts = [start for start, _end, _term in hits]
    for index, start in enumerate(starts):
        inside = hits[index : bisect_left(starts, start + width // 2)]
        count = len({term for _start, _end, term in inside})
        if count > best_count:
            best, best_count = start, count
    return best


def _whole_words(text: str, begin: int, width: int) -> tuple[int, int]:
    end = min(len(text), begin + width)
    begin = max(0, min(begin, end - width))
    if begin and (space := text.find(" ", begin, begin + 20)) >= 0:
        begin = space + 1
    if end < len(text) and (space := text.rfind(" ", end - 20, end)) > begin:
        end = space
    return begin, end
