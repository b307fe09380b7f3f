"""Fills the room that more valuable lines leave with summaries of earlier segments."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.knowledge.model import Knowledge
from continuity.segments.allocation import RoomPart, allocate, segment_worths
from continuity.segments.units import Unit
from handoffs.budgeting.budget import Selection
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.budgeting.fill_excerpts import Remainder
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.passages import PassageText, forms_of
from handoffs.directive.lines.wording import normalise

# Less room than this holds nothing worth saying.
LEAST = 40
# A line's price is exact within a token; so many are kept for each line that is added.
SLACK = 1


class TurnFill:
    """The parts that may still be told beside a selection whose directive reads `text`."""

    def __init__(self, knowledge: Knowledge, selection: Selection, text: str, costs: Costs) -> None:
        self._knowledge = knowledge
        self._selection = selection
        self._text = text
        self._costs = costs

    def added(self, room: int) -> Selection:
        """The selection with what `room` tokens can hold besides."""
        if room < LEAST:
            return self._selection
        forms = {candidates[0].item.key: candidates for candidates in self._passages(room)}
        heading = self._selection.headings[SectionKind.EARLIER]
        parts = [self._part(key, candidates) for key, candidates in forms.items()]
        made = allocate(parts, room - heading)
        chosen = {candidate.item.key: candidate for candidate in self._selection.chosen}
        chosen |= {key: forms[key][form] for key, form in made.forms.items()}
        return self._selection.with_chosen(tuple(chosen.values()))

    def with_pieces(self, room: int, pieces: Sequence[Unit]) -> Selection:
        """The selection with the pieces of the conversation that `room` tokens can hold besides: what levels and lines leave out."""
        shown = {candidate.kind for candidate in self._selection.chosen}
        room -= 0 if SectionKind.EARLIER in shown else self._selection.headings[SectionKind.EARLIER]
        if room < LEAST:
            return self._selection
        remainder = Remainder(pieces, self._text, PassageText(self._text, self._knowledge), self._costs)
        return self._selection.with_chosen((*self._selection.chosen, *remainder.lines(room)))

    def _part(self, key: str, candidates: tuple[Candidate, ...]) -> RoomPart:
        """A segment is worth more the later it was."""
        last = max(1, self._knowledge.through_seq)
        costs = tuple(each.item.tokens + SLACK for each in candidates)
        late = candidates[0].item.seq / last
        return RoomPart(key, costs, segment_worths(len(candidates), anchored=self._holds_anchors(candidates[0]), late=late))

    def _holds_anchors(self, candidate: Candidate) -> bool:
        passage = next(each for each in self._knowledge.earlier if each.first_seq == candidate.item.seq)
        return any(passage.first_seq <= anchor.ref.seq <= passage.last_seq for anchor in self._knowledge.anchors)

    def _passages(self, room: int) -> list[tuple[Candidate, ...]]:
        """The segments with what they tell beyond the directive and beyond one another, the latest first, until `room` is spoken for."""
        told = PassageText(self._text, self._knowledge)
        found: list[tuple[Candidate, ...]] = []
        for passage in reversed(self._knowledge.earlier):
            forms = self._costs.priced(forms_of(passage, told))
            if forms:
                found.append(forms)
                told.add(normalise(forms[-1].item.text))
                room -= forms[0].item.tokens
            if room <= 0:
                break
        return found
