"""Hints at what was left out, so that a successor knows what to look up and by which names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind

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
# Names stand apart by a space only: commas would take the room of every fifth name.
CHARS_PER_TOKEN = 4.4
# Tokens of the hints beside the names.
FRAME = 45
# More names than these hold bring back what is over, whatever the budget.
INDEX_TOKENS = 160
# One character in so many may belong to lists of names.
MOST = 5


def index_tokens(budget: int) -> int:
    """What an index of names may take of a budget while other lines want the room: it tells where to look, not what is so."""
    return min(INDEX_TOKENS, int(budget * (0.04 if budget >= 2000 else 0)))


class Hints:
    """What can be said of the lines `dropped` from a directive that reads `shown`, and which of the `names` in use it does not show.

    A name is looked for in the text once, however often the hints are tried in less room.
    """

    def __init__(self, dropped: Sequence[Candidate], names: Iterable[str], shown: str, listed: int = 0) -> None:
        self._told = _left_out(dropped)
        self._most = (len(shown) - MOST * listed) // (MOST - 1)
        self._unshown: list[str] = []
        self._rest = (name for name in names if name not in shown)

    def within(self, tokens: int) -> list[Candidate]:
        """One line that counts what is left out, and one with names.

        They take at most `tokens` together, and the names, with the `listed` characters of file names, at most a fifth of the whole
        text: a heap of names tells a reader nothing.
        """
        found = [_line("left out", self._told, 1.0)] if self._told else []
        index = self._index(min(self._most, int((tokens - FRAME) * CHARS_PER_TOKEN)))
        return [*found, _line("identifiers", f"Other names that came up earlier, current or not: {index}", 0.5)] if index else found

    def _index(self, room: int) -> str:
        """The names that are not shown, the first ones first, as many as `room` characters hold."""
        index = ""
        for name in self._names():
            if name in index:
                continue
            if len(index) + len(name) >= room:
                break
            index += f" {name}"
        return index.lstrip()

    def _names(self) -> Iterator[str]:
        yield from self._unshown
        for name in self._rest:
            self._unshown.append(name)
            yield name


def _left_out(dropped: Sequence[Candidate]) -> str:
    counts = Counter(candidate.kind for candidate in dropped if candidate.kind in NAMES)
    if not counts:
        return ""
    seqs = [candidate.item.seq for candidate in dropped if candidate.kind in NAMES]
    told = ", ".join(f"{counts[kind]} {names[counts[kind] > 1]}" for kind, names in NAMES.items() if counts[kind])
    place = f"message {seqs[0]}" if min(seqs) == max(seqs) else f"messages {min(seqs)} to {max(seqs)}"
    return f"For lack of room: {told} ({place} of the original)."


def _line(label: str, text: str, importance: float) -> Candidate:
    return Candidate(SectionKind.LOOKUP, PackageItem("", label, text, 0, 0, importance, label=label))
