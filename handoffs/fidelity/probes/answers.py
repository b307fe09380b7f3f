"""Asking a directive: whether its text states the answers, and where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from handoffs.fidelity.probes.imperatives import distinctive
from handoffs.fidelity.probes.model import Probe, ProbeKind

# A sentence that was shortened still answers where so much of its distinctive words stands in one line.
KEPT = 0.7
_QUOTES = "*_`~\"'“”‘’«»\\"


@dataclass(frozen=True, slots=True)
class Answer:
    """A probe and the first line of the directive, from 1, that answers it; 0 where none does."""

    probe: Probe
    line: int

    @property
    def answered(self) -> bool:
        return self.line > 0


@dataclass(frozen=True, slots=True)
class AnsweredShare:
    """How many probes of a kind there are, and how many of them are answered."""

    kind: ProbeKind
    asked: int
    answered: int


class Text:
    """A text that is asked, put in the form in which words are compared once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [_plain(line) for line in text.splitlines()]
        self._all = "\n".join(self._lines)
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [distinctive(line) for line in self._text.splitlines()]

    def line_stating(self, probe: Probe) -> int:
        """The number of the first line that answers, from 1; 0 where none does."""
        wanted = _plain(probe.expected)
        if found := self._line_holding(wanted):
            return found
        match probe.kind:
            case ProbeKind.RECALL:
                return 0
            case ProbeKind.ARTIFACT:
                return self._line_holding(wanted.rpartition("/")[2])
        return self._line_with_most(distinctive(probe.expected))

    def _line_holding(self, wanted: str) -> int:
        if not wanted:
            return 0
        # A name counts where it stands alone. Looked at by hand: a pattern for each probe takes longer to compile than to search with.
        alone = wanted[0].isalnum() and wanted[-1].isalnum()
        position = self._all.find(wanted)
        while position >= 0:
            end = position + len(wanted)
            if not alone or not (_is_of_word(self._all[position - 1 : position]) or _is_of_word(self._all[end : end + 1])):
                return bisect_right(self._starts, position)
            position = self._all.find(wanted, position + 1)
        return 0

    def _line_with_most(self, words: frozenset[str]) -> int:
        if not words:
            return 0
        shares = [(len(words & held) / len(words), -number) for number, held in enumerate(self._words, 1)]
        share, number = max(shares, default=(0.0, 0))
        return -number if share >= KEPT else 0


def ask(probes: Iterable[Probe], text: str) -> tuple[Answer, ...]:
    """The answers of a text, in the order of the probes."""
    asked = Text(text)
    return tuple(Answer(probe, asked.line_stating(probe)) for probe in probes)


def shares(answers: Sequence[Answer]) -> tuple[AnsweredShare, ...]:
    """The answered ones by kind, without kinds that nothing was asked of."""
    of = {kind: [answer for answer in answers if answer.probe.kind is kind] for kind in ProbeKind}
    return tuple(AnsweredShare(kind, len(asked), sum(answer.answered for answer in asked)) for kind, asked in of.items() if asked)


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _plain(text: str) -> str:
    for mark in _QUOTES:
        if mark in text:
            text = text.replace(mark, "")
    return " ".join(text.lower().split())
