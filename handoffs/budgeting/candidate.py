"""A line that a package may hold, before the budget decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from handoffs.budgeting.coverage import NOTHING, Terms
from handoffs.contract.model import PackageItem, SectionKind

# Sections whose lines state something; in the others a line is a name, a place or a hint.
STATING = frozenset(
    (
        SectionKind.GOAL,
        SectionKind.RULES,
        SectionKind.DECISIONS,
        SectionKind.TASKS,
        SectionKind.NEXT,
        SectionKind.ERRORS,
        SectionKind.FACTS,
        SectionKind.QUESTIONS,
        SectionKind.RECENT,
    )
)


class Candidate(NamedTuple):
    """An item and its section. `essential` ones (goal, next step, verification) come first and are short by construction;
    `open_task` ones come right after the critical anchors. `words` are what the item says where its text says it with
    additions; they are compared to find duplicates. `terms` are the distinctive words of a priced item. `shorter` are texts
    to fall back to, the longest first, where the whole one does not fit. `name` is how a line of something else that holds its
    words names it; `start` is where its words begin in their message, `fuller` are items that tell more, the longest first, for where room
    is left."""

    kind: SectionKind
    item: PackageItem
    essential: bool = False
    open_task: bool = False
    words: str = ""
    terms: Terms = NOTHING
    shorter: tuple[str, ...] = ()
    name: str = ""
    start: int = 0
    fuller: tuple[PackageItem, ...] = ()

    def priced(self, tokens: int, terms: Terms) -> Candidate:
        """The candidate with its cost and its terms (written out, since it is done for every line known)."""
        item = self.item
        priced = PackageItem(
            item.reference, item.key, item.text, item.seq, tokens, item.importance, item.critical, item.label, item.claimed, item.held
        )
        return Candidate(
            self.kind, priced, self.essential, self.open_task, self.words, terms, self.shorter, self.name, self.start, self.fuller
        )

    def shortened(self) -> Iterator[Candidate]:
        """The candidate with each of its shorter texts, not priced."""
        for text in self.shorter:
            yield self._replace(item=self.item._replace(text=text, tokens=0), terms=NOTHING, shorter=())

    @property
    def must(self) -> bool:
        return self.essential or self.item.critical
