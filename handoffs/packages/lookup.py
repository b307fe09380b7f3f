"""Hints at what was left out, so that a successor knows what to look up and by which names."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Sequence

from handoffs.packages.candidate import Candidate
from handoffs.packages.model import Item, SectionKind

NAMES = {
    SectionKind.RULES: ("rule", "rules"),
    SectionKind.DECISIONS: ("decision", "decisions"),
    SectionKind.TASKS: ("task", "tasks"),
    SectionKind.FILES: ("file", "files"),
    SectionKind.ERRORS: ("error or failed approach", "errors and failed approaches"),
    SectionKind.FACTS: ("fact", "facts"),
    SectionKind.QUESTIONS: ("question", "questions"),
    SectionKind.RECENT: ("message of the recent past", "messages of the recent past"),
}
# Paths, compound names and hashes: what a search can find again.
_IDENTIFIER = re.compile(
    r"(?<![\w/])[\w@.-]*(?:/[\w@.-]+)+\.\w{1,6}\b|\b[A-Za-z]\w*_\w+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b|\b[0-9a-f]{7,40}\b"
)
# A name is a name only within these lengths; hex needs a digit to be one.
SHORTEST, LONGEST = 5, 80
# An index is worth a small part of the room: it tells where to look, not what is so.
INDEX_SHARE = 0.04
CHARS_PER_TOKEN = 3
# Names are taken from so many of the lines left out, the most important ones.
LINES_READ = 150


def lookup_candidates(dropped: Sequence[Candidate], shown: str, budget: int) -> list[Candidate]:
    """One line that counts what is left out, and one with the names that occur most in it and not in the `shown` text."""
    counts = Counter(candidate.kind for candidate in dropped if candidate.kind in NAMES)
    if not counts:
        return []
    seqs = [candidate.item.seq for candidate in dropped if candidate.kind in NAMES]
    told = ", ".join(f"{counts[kind]} {names[counts[kind] > 1]}" for kind, names in NAMES.items() if counts[kind])
    place = f"message {seqs[0]}" if min(seqs) == max(seqs) else f"messages {min(seqs)} to {max(seqs)}"
    found = [_line("left out", f"For lack of room: {told} ({place} of the original).", 1.0)]
    names = _names(dropped, shown, int(budget * INDEX_SHARE * CHARS_PER_TOKEN))
    return [*found, _line("identifiers", f"Names to search for there: {names}", 0.5)] if names else found


def _names(dropped: Sequence[Candidate], shown: str, room: int) -> str:
    """The names of what was dropped, those in the most lines and the latest first, as many as `room` characters hold."""
    lines: Counter[str] = Counter()
    latest: dict[str, int] = {}
    for candidate in heapq.nlargest(LINES_READ, dropped, key=lambda each: each.item.importance):
        found = {name for name in _IDENTIFIER.findall(candidate.item.text) if SHORTEST <= len(name) <= LONGEST}
        for name in found:
            if name not in shown and any(c.isalpha() for c in name):
                lines[name] += 1
                latest[name] = max(latest.get(name, 0), candidate.item.seq)
    chosen: list[str] = []
    for name in sorted(lines, key=lambda each: (-lines[each], -latest[each], each)):
        room -= len(name) + 2
        if room < 0:
            break
        chosen.append(name)
    return ", ".join(chosen)


def _line(label: str, text: str, importance: float) -> Candidate:
    return Candidate(SectionKind.LOOKUP, Item("", label, text, 0, 0, importance, label=label))
