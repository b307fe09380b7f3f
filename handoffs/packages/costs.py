"""What each line costs in the target model's tokens, in a style and scaffold: counted once per line."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.tokens import Counter
from handoffs.packages.candidate import Candidate
from handoffs.packages.model import Scaffold, SectionKind
from handoffs.packages.styles import Manner


class Costs:
    """Token costs of lines, headings and frame. Counts add up to the whole within a token or two per section, since a line's
    end is a boundary of every vocabulary."""

    def __init__(self, counter: Counter, manner: Manner, scaffold: Scaffold) -> None:
        self.scaffold = scaffold
        self._counter = counter
        self._manner = manner
        self._headings: dict[SectionKind, int] = {}

    def priced(self, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """The candidates with their cost as the item's tokens."""
        return tuple(candidate.priced(self._line(candidate)) for candidate in candidates)

    def frame(self) -> int:
        return sum(self._counter.count(part) for part in self._manner.frame(self.scaffold))

    def heading(self, kind: SectionKind) -> int:
        """What a section costs before its first line; one of files also names what was done to them."""
        if kind not in self._headings:
            names = "- Modified: \n" if kind is SectionKind.FILES else ""
            self._headings[kind] = self._counter.count(self._manner.heading(kind, self.scaffold) + names + self._manner.section_end)
        return self._headings[kind]

    def _line(self, candidate: Candidate) -> int:
        if candidate.kind is SectionKind.FILES:
            return self._counter.count(f", {self._manner.path(candidate.item, self.scaffold)}")
        return self._counter.count(self._manner.line(candidate.kind, (candidate.item,), self.scaffold))
