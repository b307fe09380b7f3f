"""Fills the room that more valuable lines leave with the sentences of the conversation that add most to what is told."""

from __future__ import annotations

from continuity.knowledge.coverage.carried import KeptUnit, Source
from continuity.knowledge.coverage.greedy import best_units
from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.model import Knowledge, Quote, Ref
from handoffs.budgeting.budget import Selection
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.wording import clip, normalise, one_line

LEAST = 40  # less room than this holds nothing worth saying
FRAME = 8  # tokens of a line beside its words
IMPORTANCE = 0.4
UNIT = 600  # characters of one unit
LABELS = {Source.PERSON: "person said", Source.AGENT: "agent said"}


def with_units(knowledge: Knowledge, selection: Selection, text: str, costs: Costs, room: int) -> Selection:
    """The selection, whose directive reads `text`, with the units that tell most of what it does not, within `room` tokens."""
    room -= 0 if any(c.kind is SectionKind.RECENT for c in selection.chosen) else selection.headings[SectionKind.RECENT]
    if room < LEAST:
        return selection
    told = normalise(text)
    over = [words for anchor in knowledge.superseded if (words := normalise(anchor.text))]
    found = []
    for unit in best_units(knowledge.carried, terms_in(text), room, costs.words, extra=FRAME):
        words = normalise(unit.text)
        if unit.source is Source.OUTPUT or words in told or any(old in words or words in old for old in over):
            continue
        (candidate,) = costs.priced((_line(unit),))
        if candidate.item.tokens <= room:
            room -= candidate.item.tokens
            found.append(candidate)
    return selection.with_chosen((*selection.chosen, *found)) if found else selection


def _line(unit: KeptUnit) -> Candidate:
    text = unit.text if len(unit.text) <= UNIT else clip(one_line(unit.text), UNIT)
    line = message_line(SectionKind.RECENT, LABELS[unit.source], Quote(text, Ref(unit.seq)), IMPORTANCE)
    return line._replace(item=line.item._replace(key=f"unit@{unit.seq}.{unit.part}.{unit.start}"))
