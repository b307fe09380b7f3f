"""Hints at what was left out, so that a successor knows what to look up and by which names."""

from __future__ import annotations

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
CHARS_PER_TOKEN = 3.2
# Tokens of the hints beside the names.
FRAME = 45


def index_share(budget: int) -> float:
    """What an index of names may take of a budget: it tells where to look, not what is so."""
    return 0.1 if budget >= 3000 else 0.04


def lookup_candidates(dropped: Sequence[Candidate], names: Sequence[str], shown: str, budget: int, left: int) -> list[Candidate]:
    """One line that counts what is left out, and one with the `names` in use that do not stand in the `shown` text: as many as
    the index may take of the `budget` and of the tokens `left`."""
    told = _left_out(dropped)
    found = [_line("left out", told, 1.0)] if told else []
    index = _index(names, shown, int(min(budget * index_share(budget), left - FRAME) * CHARS_PER_TOKEN))
    return [*found, _line("identifiers", f"Other names that came up earlier, current or not: {index}", 0.5)] if index else found


def _left_out(dropped: Sequence[Candidate]) -> str:
    counts = Counter(candidate.kind for candidate in dropped if candidate.kind in NAMES)
    if not counts:
        return ""
    seqs = [candidate.item.seq for candidate in dropped if candidate.kind in NAMES]
    told = ", ".join(f"{counts[kind]} {names[counts[kind] > 1]}" for kind, names in NAMES.items() if counts[kind])
    place = f"message {seqs[0]}" if min(seqs) == max(seqs) else f"messages {min(seqs)} to {max(seqs)}"
    return f"For lack of room: {told} ({place} of the original)."


def _index(names: Sequence[str], shown: str, room: int) -> str:
    """The names that are not shown, the first ones first, as many as `room` characters hold."""
    chosen: list[str] = []
    for name in names:
        if name in shown:
            continue
        room -= len(name) + 2
        if room < 0:
            break
        chosen.append(name)
    return ", ".join(chosen)


def _line(label: str, text: str, importance: float) -> Candidate:
    return Candidate(SectionKind.LOOKUP, Item("", label, text, 0, 0, importance, label=label))
