"""Overrides of a package's lines by people: they hold at every budget, in every style, and after new messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from continuity.knowledge.model import Knowledge
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.coverage import NOTHING
from handoffs.contract.model import Expectation
from handoffs.directive.lines.files import file_key
from handoffs.directive.lines.wording import one_line
from handoffs.fidelity.repair import STATE_KEYS


@dataclass(frozen=True, slots=True)
class Steering:
    """By item key: `pinned` lines are never dropped, `dismissed` ones never go in, `reworded` ones say these words.

    `references` are those given out before, with the key behind each, so that none changes its meaning. What people did
    to anchors and tasks themselves is in the knowledge already.
    """

    pinned: frozenset[str] = frozenset()
    dismissed: frozenset[str] = frozenset()
    reworded: Mapping[str, str] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)

    def applied(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """The candidates as people set them."""
        return [self._set(candidate) for candidate in candidates if candidate.item.key not in self.dismissed]

    def narrowed(self, knowledge: Knowledge) -> Knowledge:
        """The knowledge without the files that were dismissed."""
        if not self.dismissed:
            return knowledge
        return replace(knowledge, files=tuple(file for file in knowledge.files if file_key(file) not in self.dismissed))

    def excused(self, expectation: Expectation) -> Expectation:
        """The expectation without the parts of the state that people took out or put into other words."""
        own = {*self.dismissed, *self.reworded}
        return replace(expectation, state={name: words for name, words in expectation.state.items() if STATE_KEYS.get(name) not in own})

    def _set(self, candidate: Candidate) -> Candidate:
        key = candidate.item.key
        if key in self.reworded:
            item = candidate.item._replace(text=one_line(self.reworded[key]))
            candidate = candidate._replace(item=item, words="", terms=NOTHING, shorter=())
        return candidate._replace(item=candidate.item._replace(critical=True)) if key in self.pinned else candidate


UNSTEERED = Steering()
