"""Fills the room that more valuable lines leave with the sentences of the conversation that add most to what is told."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from continuity.knowledge.coverage.carried import KeptUnit, Source
from continuity.knowledge.coverage.greedy import best_units
from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.reply_structure import announces, finds_out, supposes
from continuity.knowledge.model import Knowledge, Quote, Ref, Request
from continuity.knowledge.requests.gist import is_filler, is_torn, only_announces
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.outline import is_item, leads_in
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.budget import REPORT, Selection
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.anchors import DOCUMENT
from handoffs.directive.lines.goal import answers_told_with_goal
from handoffs.directive.lines.message_lines import message_line, noted_through
from handoffs.directive.lines.note import tells_the_state
from handoffs.directive.lines.request_steps import is_carried_out, nods, without_nods
from handoffs.directive.lines.wording import Stated, clip_said, normalise, one_line
from handoffs.directive.past.reports import only_praises
from handoffs.directive.references import References

ITEMS = 3  # lines below the first from which a unit is a list
LATELY = 24  # messages within which a list that the agent thought of may still be what is left to do
LEAST = 40  # less room than this holds nothing worth saying
FRAME = 8  # tokens of a line beside its words
IMPORTANCE = 0.4
UNIT = 600  # characters of one unit
SENTENCE = 40  # characters from which a sentence is known again
SAYS = 3  # words of content, fewer of which say nothing
_ONLY_A_PLACE = re.compile(r"(?:[-*+] )?\**(?:files?|path|location|where)\**:?\**:? *`[^`\n]+`[^.\n]{0,40}", re.I)
_MIDDLE = re.compile(r"\|(?![^\n]*\n)|(?:[2-9]|\d\d)[.)] ")  # a row of a table, or a point of a list, without those before it
OF_AGENT = frozenset((Source.AGENT, Source.THOUGHT))
CAME = frozenset(("agent", "made"))
LABELS = {Source.PERSON: "person said", Source.AGENT: "agent said", Source.THOUGHT: "agent said"}


def with_units(knowledge: Knowledge, selection: Selection, text: str, costs: Costs, room: int) -> Selection:
    """The selection, whose directive reads `text`, with the units that tell most of what it does not, within `room` tokens: what
    was said, in its place in the history."""
    told = Stated(text)
    over = [words for anchor in knowledge.superseded if (words := normalise(anchor.text))]
    terms = set(terms_in(text))
    chosen: list[Candidate] = []
    fresh = knowledge.note.through_seq if knowledge.note and tells_the_state(knowledge) else -1
    noted = max(fresh, noted_through(knowledge))
    answers = frozenset(each.item.reference for each in selection.chosen if each.item.label in CAME)
    reported = frozenset(each.item.reference for each in selection.chosen if each.item.label == REPORT)
    left = room - (0 if any(each.kind is SectionKind.RECENT for each in selection.chosen) else selection.headings[SectionKind.RECENT])
    told_at_length = answers_told_with_goal(knowledge) | _told_whole(knowledge)
    begun = min((row.seq for row in in_work(knowledge.requests)), default=0)
    changed = [step for row in knowledge.requests for step in row.steps if step.files]
    units = tuple(
        unit
        for unit in knowledge.carried.units
        if not (_is_empty(unit) or 0 < unit.seq <= fresh or _is_retold(unit, noted))
        and unit.seq not in told_at_length
        and not (unit.source in OF_AGENT and (References.message(unit.seq) in reported or only_praises(unit.text)))
        and not _is_on_the_way(unit, knowledge.requests)
        and not (unit.source in OF_AGENT and is_carried_out(Quote(unit.text, Ref(unit.seq)), changed))
        and not (unit.source is Source.THOUGHT and not _is_list_of(unit, max(begun, knowledge.through_seq - LATELY)))
    )
    for unit in best_units(replace(knowledge.carried, units=units), terms, left, costs.words, extra=FRAME) if left >= LEAST else ():
        words = normalise(unit.text)
        if told.states(unit.text) or _is_told_in_part(unit, told, answers) or any(old in words or words in old for old in over):
            continue
        (candidate,) = costs.priced((_line(unit),))
        if candidate.item.tokens <= left:
            left -= candidate.item.tokens
            chosen.append(candidate)
    return selection.with_chosen((*selection.chosen, *chosen)) if chosen else selection


def _is_told_in_part(unit: KeptUnit, told: Stated, answers: Set[str]) -> bool:
    """Whether a sentence of a unit is told: the unit would say it twice, and the rest of it says little by itself. One of the agent's
    `answers` is told by what it begins with: pieces of the rest say little beside that."""
    said = [sentence for line in unit.text.split("\n") for sentence in sentences_of(line) if len(sentence) >= SENTENCE]
    if any(told.states(sentence) for sentence in said):
        return True
    return unit.source in OF_AGENT and References.message(unit.seq) in answers


def _is_on_the_way(unit: KeptUnit, rows: Sequence[Request]) -> bool:
    """Whether a unit is a sentence that the agent said between the steps of earlier work, which finds out nothing: what came of the work
    tells more."""
    if unit.source not in OF_AGENT or "\n" in unit.text or finds_out(unit.text):
        return False
    working = in_work(rows)
    row = next((row for row in rows if row.seq < unit.seq <= row.last_seq and row not in working), None)
    return row is not None and bool(row.files) and (row.outcome is None or row.outcome.ref.seq != unit.seq)


def _is_retold(unit: KeptUnit, noted: int) -> bool:
    """Whether the agent's own note, which tells how the work came up to message `noted`, was written after what it said or was shown."""
    return unit.source is not Source.PERSON and 0 < unit.seq <= noted


def _told_whole(knowledge: Knowledge) -> frozenset[int]:
    """The messages of the person that the history or *Now* tells; of a document they tell the outline alone."""
    return frozenset(row.seq for row in knowledge.requests if row.pasted or len(row.text.text) < DOCUMENT)


def _is_list_of(unit: KeptUnit, begun: int) -> bool:
    """Whether a unit is a list, with what leads in to it, of what was found out since message `begun`, and not of what the agent would
    do."""
    return unit.seq >= begun and unit.text.count("\n") >= ITEMS and not announces(unit.text.partition("\n")[0])


def _is_empty(unit: KeptUnit) -> bool:
    """Whether a unit tells nothing by itself: what the agent is about to do, or supposes; and what a tool printed, which it prints
    again."""
    if unit.source is Source.OUTPUT or is_filler(unit.text) or only_announces(unit.text) or _ONLY_A_PLACE.fullmatch(unit.text.strip()):
        return True
    if unit.source in OF_AGENT and (
        _MIDDLE.match(unit.text) or (_is_sentence(unit) and len(content(without_nods(unit.text), SAYS)) < SAYS)
    ):
        return True
    if "\n" not in unit.text.strip() and (leads_in(unit.text) or len(content(unit.text, SAYS)) < SAYS):
        return True
    if unit.source in OF_AGENT and (is_torn(unit.text) or ("\n" not in unit.text and is_item(unit.text.strip()))):
        return True
    return unit.source in OF_AGENT and (("\n" not in unit.text and announces(unit.text)) or supposes(unit.text))


def _is_sentence(unit: KeptUnit) -> bool:
    """Whether a unit is words of the agent on one line."""
    return unit.source in OF_AGENT and "\n" not in unit.text


def _line(unit: KeptUnit) -> Candidate:
    text = (
        without_nods(unit.text)
        if _is_sentence(unit) and nods(unit.text)
        else unit.text
        if len(unit.text) <= UNIT
        else clip_said(one_line(unit.text), UNIT)
    )
    line = message_line(SectionKind.RECENT, LABELS[unit.source], Quote(text, Ref(unit.seq)), IMPORTANCE)
    return line._replace(item=line.item._replace(key=f"unit@{unit.seq}.{unit.part}.{unit.start}"), start=unit.start)
