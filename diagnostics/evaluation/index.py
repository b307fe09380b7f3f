"""The cap on indexes: a heap of names is no handoff, so only a fifth of a context counts as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from diagnostics.evaluation.names import names_in

WINDOW = 5
NAMES_IN_WINDOW = 3
ROOM = 5  # one part in five


def readable(context: str) -> str:
    """The context without the part of its index that goes beyond a fifth of its characters.

    A word belongs to the index where it stands in five words, across line ends, of which three or more hold names.
    """
    words = list(re.finditer(r"\S+", context))
    indexed = _indexed([bool(names_in(word.group())) for word in words])
    room = len(context) // ROOM
    kept: list[str] = []
    last = 0
    for word, in_index in zip(words, indexed, strict=True):
        if not in_index:
            continue
        room -= len(word.group()) + 1
        if room < 0:
            kept.append(context[last : word.start()])
            last = word.end()
    return "".join(kept) + context[last:]


def _indexed(named: Sequence[bool]) -> list[bool]:
    indexed = [False] * len(named)
    for start in range(len(named) - WINDOW + 1):
        if sum(named[start : start + WINDOW]) >= NAMES_IN_WINDOW:
            indexed[start : start + WINDOW] = [True] * WINDOW
    return indexed
