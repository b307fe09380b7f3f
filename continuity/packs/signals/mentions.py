"""Files and symbols that the request names exactly."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from continuity.packs.facts import Facts, PackRequest
from continuity.packs.matching import damped
from continuity.packs.paths import name_of
from continuity.packs.signals import Column, Columns

# A path or a file's name as it stands in prose, maybe absolute, with a line behind it.
_NAMED = re.compile(r"[\w.+@-]+(?:/[\w.+@-]+)*")
SHORTEST = 4  # characters of a name without a folder
AGAIN = 5


def mentioned(paths: Sequence[str], request: PackRequest) -> Columns:
    """Files mentioned by path, by an absolute path that ends so, or by the file's name alone, shared among those of that name."""
    known = {path: i for i, path in enumerate(paths)}
    named: defaultdict[str, list[int]] = defaultdict(list)
    for i, path in enumerate(paths):
        named[name_of(path)].append(i)
    by_path: Counter[int] = Counter()
    by_name: Counter[int] = Counter()
    for word, times in Counter(match.rstrip(".") for match in _NAMED.findall(request.text)).items():
        at = _suffix(word, known)
        if at is not None and "/" in paths[at]:
            by_path[at] += times
        elif (alone := name_of(word)) in named and len(alone) >= SHORTEST:
            for i in named[alone]:
                by_name[i] += times
    column = [0.0] * len(paths)
    for i in by_path | by_name:
        if by_path[i]:
            column[i] = 1 + 0.2 * min(by_path[i] - 1, AGAIN)
        else:
            column[i] = (1 + 0.1 * min(by_name[i] - 1, AGAIN)) / len(named[name_of(paths[i])])
    return {"mentioned": damped(column)}


def _suffix(word: str, known: Mapping[str, int]) -> int | None:
    """The file whose path the word is, or ends with."""
    parts = word.split("/")[-40:]
    return next((known[tail] for at in range(len(parts)) if (tail := "/".join(parts[at:])) in known), None)


def symbols(paths: Sequence[str], facts: Mapping[str, Facts], request: PackRequest) -> Columns:
    """Files by identifiers of the request: who defines them, and in whose text they stand; one that many have says little."""
    defining: defaultdict[str, list[int]] = defaultdict(list)
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for i, path in enumerate(paths):
        if each := facts.get(path):
            for name in request.identifiers & each.defined:
                defining[name].append(i)
            for name in request.identifiers & each.holds:
                holding[name].append(i)
    return {"defines": damped(_shared(defining, len(paths))), "uses": damped(_shared(holding, len(paths)))}


def _shared(holders: Mapping[str, list[int]], count: int) -> Column:
    shares: defaultdict[int, list[float]] = defaultdict(list)
    for those in holders.values():
        for i in those:
            shares[i].append(1 / len(those))
    return [math.fsum(shares[i]) if i in shares else 0.0 for i in range(count)]
