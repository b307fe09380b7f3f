"""Costs of lines in the target model's tokens, in a style and scaffold: counted once per line."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.usage.tokens import Tally
from handoffs.budgeting.candidate import STATING, Candidate
from handoffs.budgeting.coverage import NOTHING, Terms, terms_of
from handoffs.contract.model import PackageItem, Scaffold, SectionKind
from handoffs.directive.lines.note import LABEL as NOTE_LABEL
from handoffs.directive.styles import StyleTemplate


class Costs:
    """Token costs of lines, headings and frame. Counts add up to the whole within a token or two per section, since a line's
    end is a boundary of every vocabulary."""

    def __init__(self, tally: Tally, manner: StyleTemplate, scaffold: Scaffold, terms: dict[str, Terms] | None = None) -> None:
        self.scaffold = scaffold
        self._tally = tally
        self._manner = manner
        self._terms = {} if terms is None else terms
        self._headings: dict[SectionKind, int] = {}

    def within(self, scaffold: Scaffold) -> Costs:
        """The costs in another scaffold, which share what is known of the words."""
        return Costs(self._tally, self._manner, scaffold, self._terms)

    def priced(self, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """The candidates with their terms, and their cost as the item's tokens."""
        return tuple(candidate.priced(self.line(candidate.kind, candidate.item), self._terms_of(candidate)) for candidate in candidates)

    def words(self, text: str) -> int:
        """The tokens of words by themselves."""
        return self._tally.count(text)

    def frame(self) -> int:
        return sum(self._tally.count(part) for part in self._manner.frame(self.scaffold))

    def heading(self, kind: SectionKind) -> int:
        """The tokens of a section before its first line; one of files also names what was done to them."""
        if kind not in self._headings:
            names = "- Modified: \n" if kind is SectionKind.FILES else ""
            told = self._manner.heading(kind, self.scaffold) + self._manner.inner_headings(kind, self.scaffold)
            self._headings[kind] = self._tally.count(told + names + self._manner.section_end)
        return self._headings[kind]

    def line(self, kind: SectionKind, item: PackageItem) -> int:
        """The tokens of the item in its section; a file's name costs no line of its own."""
        if kind is SectionKind.FILES and item.label != NOTE_LABEL:
            return self._tally.count(f", {self._manner.path(item, self.scaffold)}")
        return self._tally.count(self._manner.line(kind, (item,), self.scaffold))

    def _terms_of(self, candidate: Candidate) -> Terms:
        if candidate.kind not in STATING or candidate.terms is not NOTHING:
            return candidate.terms
        text = candidate.item.text
        found = self._terms.get(text)
        if found is None:
            found = self._terms[text] = terms_of(text)
        return found
