"""Words of the request in contents, definitions, paths, and whole phrases of it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from continuity.packs.facts import Facts, PackRequest, Reader
from continuity.packs.matching import Query, bm25, scaled
from continuity.packs.paths import name_of
from continuity.packs.signals import Column, Columns
from continuity.repository.words import ALL_WORDS, terms, terms_among, terms_of, words_of

PASSAGE = 40  # lines
PASSAGES = 200  # of one file
CLOSE = 150  # files whose passages and phrases are looked at
PHRASE = 3  # words
PHRASES = 20_000


def names(paths: Sequence[str], query: Query) -> Columns:
    """Scores by the names of files, and of their folders."""
    whole = [terms(words_of(path).items()) for path in paths]
    last = [terms(words_of(name_of(path)).items()) for path in paths]
    return {
        "path": scaled(bm25(query, whole, saturation=0.5, by_length=0.3)),
        "name": scaled(bm25(query, last, saturation=0.5, by_length=0.3)),
    }


def contents(paths: Sequence[str], facts: Mapping[str, Facts], query: Query) -> Columns:
    """Scores by the text of files, and by the names that they define."""
    known = [facts.get(path) or Facts() for path in paths]
    defined = [Counter(term for name in sorted(each.defined) for term in terms_of(name)) for each in known]
    return {
        "content": scaled(bm25(query, [each.counted for each in known], [float(each.length) for each in known])),
        "definitions": scaled(bm25(query, defined)),
        "size": [math.log1p(each.length) / 10 for each in known],
    }


def close_reading(paths: Sequence[str], content: Column, request: PackRequest, query: Query, read: Reader) -> Columns:
    """The best passage of each of the files whose contents match best, and phrases of the request that stand in them as they are."""
    order = sorted((i for i in range(len(paths)) if content[i] > 0), key=lambda i: (-content[i], paths[i]))[:CLOSE]
    passages: list[dict[str, int]] = []
    lengths: list[float] = []
    of: list[int] = []
    spoken = _phrases(request.text)
    held: dict[int, set[tuple[str, ...]]] = {}
    for i in order:
        text = read(paths[i]) or ""
        for words in _passages(text):
            counted, length = terms_among(words.items(), query)
            passages.append(counted)
            lengths.append(float(length))
            of.append(i)
        held[i] = spoken & _phrases(text, spoken)
    best = [0.0] * len(paths)
    for i, score in zip(of, bm25(query, passages, lengths, by_length=0.6), strict=True):
        best[i] = max(best[i], score)
    return {"passage": scaled(best), "phrases": _rare(held, len(paths))}


def _passages(text: str) -> list[Counter[str]]:
    lines = text.split("\n")
    return [words_of("\n".join(lines[at : at + PASSAGE])) for at in range(0, min(len(lines), PASSAGE * PASSAGES), PASSAGE)]


def _phrases(text: str, among: set[tuple[str, ...]] | None = None) -> set[tuple[str, ...]]:
    """Runs of words, all or those `among` others."""
    words = [word.lower() for word in ALL_WORDS.findall(text)]
    runs = zip(*(words[at:] for at in range(PHRASE)), strict=False)
    if among is not None:
        return among.intersection(runs)
    found: set[tuple[str, ...]] = set()
    for run in runs:
        found.add(run)
        if len(found) == PHRASES:
            break
    return found


def _rare(held: Mapping[int, set[tuple[str, ...]]], count: int) -> Column:
    """A phrase that few files hold says more."""
    holders: defaultdict[tuple[str, ...], int] = defaultdict(int)
    for phrases in held.values():
        for phrase in phrases:
            holders[phrase] += 1
    column = [0.0] * count
    for i, phrases in held.items():
        # Summed exactly: sets of words have no order that is the same in another process.
        total = math.fsum(math.log(1 + (count - holders[phrase] + 0.5) / (holders[phrase] + 0.5)) for phrase in phrases)
        column[i] = math.log1p(total) / 5
    return column
