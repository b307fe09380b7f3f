"""The last short results word for word: hashes, ids, numbers, mismatches."""

from __future__ import annotations

import re

from continuity.knowledge.language.clip import one_line
from continuity.knowledge.model import Quote, Ref
from continuity.knowledge.state.step import FoldStep

LONGEST = 300  # characters of a result that is kept
COMMAND = 90
LINES = 12

# What is worth keeping: an id, a number with a meaning, a disagreement.
_TELLS = re.compile(
    r"\b[0-9a-f]{7,64}\b|\b[A-Z][A-Z0-9]+-\d+\b|#\d+|\b\d+(?:\.\d+)+\b|\b\d{2,}\b|\b\d+ ?(?:%|ms|s|[kMG]?i?B|lines?|files?)\b"
    r"|!=|≠|\bmismatch|\bdiffer|\bexpected\b|\bnot (?:found|equal)\b|\bmissing\b",
    re.I,
)
_OF_TREE = re.compile(r"\bgit (?:-C \S+ )?(?:status|diff|log|show|branch|stash list)\b")  # the work place tells what git shows
_NOTHING = re.compile(r"^(?:ok|done|success|true|false|null|none|\s|[.\-=])*$", re.I)


def keep(step: FoldStep, part: int, command: str, text: str, *, failed: bool) -> None:
    """Keep a short result that tells something, behind what was run and whether that failed."""
    words = text.strip()
    if (
        _OF_TREE.search(command)
        or not words
        or len(words) > LONGEST
        or words.count("\n") >= LINES
        or _NOTHING.match(words)
        or not _TELLS.search(words)
    ):
        return
    told = f"{one_line(command, COMMAND)}{' (failed)' if failed else ''} → {one_line(words, LONGEST)}"
    step.state.results.put(f"{step.seq}.{part}", Quote(one_line(told, LONGEST), Ref(step.seq, part)))
