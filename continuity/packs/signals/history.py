"""Signals from git's history of files: changed lately, by whom last, under which words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from continuity.packs.matching import Query, bm25, damped, scaled
from continuity.packs.signals import Columns
from continuity.repository.state import Commit
from continuity.repository.symbols import extension_of
from continuity.repository.words import terms, words_of

LATEST = 3  # commits
FADES, AUTHORS_FADE = 8.0, 6.0  # commits after which a change counts a third
BRANCH = 16  # commits of one line of work at most
LIKE = 40  # commits whose words are most like the request's
WHOLE = 20  # paths: a commit of more says little of each


def recency(commits: Sequence[Commit], known: Mapping[str, int]) -> Columns:
    """Files of the latest commits, of the latest ones by the last author, of the line of work that HEAD stands on, and of all."""
    count = len(known)
    recent, latest, all_of, authors = [0.0] * count, [0.0] * count, [0.0] * count, [0.0] * count
    changing = [commit for commit in commits if any(path in known for path in commit.paths)]
    last_author = changing[0].author if changing else ""
    own = 0
    for age, commit in enumerate(changing):
        those = [known[path] for path in commit.paths if path in known]
        share = 1 / math.sqrt(len(those)) if len(those) > LATEST else 1.0
        for i in those:
            all_of[i] += 1
            recent[i] += share * math.exp(-age / FADES)
            if age < LATEST:
                latest[i] = max(latest[i], share)
            if commit.author == last_author:
                authors[i] += share * math.exp(-own / AUTHORS_FADE)
        own += commit.author == last_author
    return {
        "recent": damped(recent),
        "latest": latest,
        "changed": damped(all_of),
        "author": damped(authors),
        "branch": _branch(commits, known, last_author),
    }


def _branch(commits: Sequence[Commit], known: Mapping[str, int], author: str) -> list[float]:
    """Files of the commits since the last merge, as long as one author made them."""
    column, seen = [0.0] * len(known), 0
    for commit in commits:
        if len(commit.parents) > 1 and not seen:
            continue
        if len(commit.parents) > 1 or commit.author != author or seen == BRANCH:
            break
        for path in commit.paths:
            if path in known:
                column[known[path]] = max(column[known[path]], 1 / math.sqrt(max(1.0, len(commit.paths) / 3)))
        seen += 1
    return column


def messages(commits: Sequence[Commit], known: Mapping[str, int], query: Query) -> Columns:
    """Files that were changed under words like the request's: by the commits most like it, and by all words of a file's commits."""
    said = [terms(words_of(commit.message).items()) for commit in commits]
    scores = bm25(query, said, by_length=0.75)
    best = max(scores, default=0.0)
    like = [0.0] * len(known)
    for n in sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:LIKE] if best > 0 else ():
        those = [known[path] for path in commits[n].paths if path in known]
        for i in those:
            like[i] += (scores[n] / best) ** 2 / math.sqrt(len(those))
    of_file: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for commit, words in zip(commits, said, strict=True):
        for i in _few(commit.paths, known):
            of_file[i].update(words.keys())
    documents = [of_file.get(i, Counter()) for i in range(len(known))]
    return {"like": scaled(like), "message": scaled(bm25(query, documents))}


def _few(paths: Sequence[str], known: Mapping[str, int]) -> Iterable[int]:
    return (known[path] for path in paths if path in known) if len(paths) <= WHOLE else ()


def kinds(paths: Sequence[str], changed: Sequence[float]) -> Columns:
    """How often files of this kind were changed in this repository, as against how many there are."""
    files: Counter[str] = Counter()
    changes: Counter[str] = Counter()
    for path, times in zip(paths, changed, strict=True):
        files[extension_of(path)] += 1
        changes[extension_of(path)] += round(math.expm1(times))
    return {"kind": [math.log((changes[kind] + 1) / (files[kind] + 1)) for kind in map(extension_of, paths)]}
