"""Fills the room that is left after summaries: the conversation's words, piece by piece, by what each still adds."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from itertools import groupby

from continuity.segments.tool_summaries import joined as told_deeds
from continuity.segments.units import Speaker, Unit
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.budgeting.coverage import CoverageTracker, Terms, terms_of
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.passages import IMPORTANCE, REPLACED, PassageText, as_deed, joined, without_lead_ins
from handoffs.directive.lines.wording import one_line
from handoffs.directive.references import References

# The pieces of the conversation that so many tokens might hold, oldest first.
Pieces = Callable[[int], Sequence[Unit]]
# So many tokens of the conversation are read for each token of room.
READ_FOR_ROOM = 12
# What a person said comes first, then what was said and done; what tools printed and calls wrote fills what is left.
FIRST = {Speaker.PERSON: 2.0, Speaker.AGENT: 1.0, Speaker.DEED: 0.8, Speaker.OUTPUT: 1.0, Speaker.WRITTEN: 1.0}
# Sentences and deeds of less weight are left out: announcements, looking around, empty words.
LEAST = {Speaker.PERSON: 0.3, Speaker.AGENT: 0.2, Speaker.DEED: 0.25, Speaker.OUTPUT: 0.0, Speaker.WRITTEN: 0.0}
# The share of its worth that the oldest piece keeps.
OLDEST = 0.7
# A piece that says nothing new is worth so little beside one that does.
NOTHING_NEW = 0.1
# Tokens of a line beside its pieces, and of a piece beside its words.
LINE, PIECE = 9, 1
SHORT, LENGTH, CHARS = 8, 0.15, 4


def no_pieces(_: int) -> Sequence[Unit]:
    """No pieces: where nothing is known of a conversation but what was distilled."""
    return ()


class Remainder:
    """The pieces that may still be told beside a directive that reads `text`; `told` knows what else must not be told."""

    def __init__(self, pieces: Sequence[Unit], text: str, told: PassageText, costs: Costs) -> None:
        self._pieces = [unit for unit in pieces if unit.weight >= LEAST[unit.speaker] and REPLACED not in unit.text]
        self._said = CoverageTracker((terms_of(text),))
        self._told = told
        self._costs = costs

    def lines(self, room: int) -> tuple[Candidate, ...]:
        """Lines within `room` tokens, one for each message that has something to tell, priced."""
        chosen = self._chosen(room)
        while chosen:
            lines = self._costs.priced(_lines([self._pieces[place] for place in sorted(chosen)]))
            over = sum(line.item.tokens for line in lines) - room
            if over <= 0:
                return lines
            while chosen and over > 0:
                over -= self._price(chosen.pop())
        return ()

    def _chosen(self, room: int) -> list[int]:
        """The places of the pieces that fit, the most valuable first. What a piece adds only ever falls as more is told, so one whose
        value still stands when its turn comes is the best."""
        chosen: list[int] = []
        messages: set[int] = set()
        terms: dict[int, Terms] = {}
        queue = [(-self._value(place), -place) for place in range(len(self._pieces))]
        heapq.heapify(queue)
        while queue and room > LINE:
            worth, order = heapq.heappop(queue)
            place = -order
            unit = self._pieces[place]
            if place not in terms:
                if not self._told.is_new(unit.text):
                    continue
                terms[place] = terms_of(unit.text)
            now = -self._value(place) * self._said.factor(terms[place], NOTHING_NEW)
            if queue and now > worth and (now, order) > queue[0]:
                heapq.heappush(queue, (now, order))
                continue
            price = self._price(place) + LINE * (unit.seq not in messages)
            if price <= room and self._told.is_new(unit.text):
                chosen.append(place)
                messages.add(unit.seq)
                self._said.add(terms[place])
                self._told.add(unit.text)
                room -= price
        return chosen

    def _value(self, place: int) -> float:
        unit = self._pieces[place]
        late = OLDEST + (1 - OLDEST) * (place + 1) / len(self._pieces)
        length: float = max(len(unit.text) / CHARS, SHORT) ** LENGTH
        return FIRST[unit.speaker] * unit.weight * late / length

    def _price(self, place: int) -> int:
        return self._costs.words(self._pieces[place].text) + PIECE


def _lines(units: Sequence[Unit]) -> list[Candidate]:
    """One line for each message, which tells its pieces in their order."""
    found = []
    for seq, run in groupby(units, key=lambda unit: unit.seq):
        those = list(run)
        text = " ".join(filter(None, (_words(speaker, list(said)) for speaker, said in groupby(those, key=lambda unit: unit.speaker))))
        if text:
            item = PackageItem(
                References.message(seq), f"piece@{seq}.{those[0].part}.{those[0].start}", text, seq, 0, IMPORTANCE, label="earlier"
            )
            found.append(Candidate(SectionKind.EARLIER, item))
    return found


def _words(speaker: Speaker, units: Sequence[Unit]) -> str:
    if speaker is Speaker.DEED:
        return as_deed(told_deeds(units))
    pieces = [one_line(unit.text) for unit in units]
    if speaker in (Speaker.OUTPUT, Speaker.WRITTEN):
        return as_deed(f"{speaker.value}“{' / '.join(pieces)}”")
    kept = without_lead_ins(pieces)
    return f"{speaker.value}“{joined(kept)}”" if kept else ""
