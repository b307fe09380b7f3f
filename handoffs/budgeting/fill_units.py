"""Fills the room that more valuable lines leave with the sentences of the conversation that add most to what is told."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.coverage.carried import KeptUnit, Source
from continuity.knowledge.coverage.greedy import best_units
from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.language.reply_structure import announces
from continuity.knowledge.model import Knowledge, Quote, Ref
from continuity.knowledge.requests.gist import is_filler
from handoffs.budgeting.budget import Selection
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import message_line, noted_through
from handoffs.directive.lines.note import tells_the_present
from handoffs.directive.lines.quoting import as_data, instructs
from handoffs.directive.lines.wording import Stated, clip, normalise, one_line

LEAST = 40  # less room than this holds nothing worth saying
FRAME = 8  # tokens of a line beside its words
IMPORTANCE = 0.4
UNIT = 600  # characters of one unit
OUTPUTS = 4  # of what tools printed
OUTPUT = 320  # of one that a tool printed
PRINTED = 0.5  # of the room that is left then, for what tools printed
LISTED = 3  # one word in so many is a name of a file or of code, in a list of them
STATING, LETTERS = 8, 0.75  # words of what a tool printed that states something, and the share of its signs that are letters
LABELS = {Source.PERSON: "person said", Source.AGENT: "agent said", Source.OUTPUT: "shown"}

# As a file is shown: its lines behind their numbers, or behind its name and their numbers.
_NUMBERED = re.compile(r"\s*\d+\s*[-:|→\t]|\s*\d+\s.*\n\s*\d+\s|\S*[./]\S*:\d+[:-]|(?s:.{0,300})\b\d+→")
_ACKNOWLEDGES = re.compile(
    r"(?:the )?(?:file|files|todos?|tasks?)\b[^\n]{0,300}?\bha(?:s|ve) been (?:updated|created|modified|written|deleted)\b", re.I
)
_NAMES = re.compile(r"\S*\w[._/]\w\S*")
_WORD = re.compile(r"\b[^\W\d_]{2,}\b")


def with_units(knowledge: Knowledge, selection: Selection, text: str, costs: Costs, room: int) -> Selection:
    """The selection, whose directive reads `text`, with the units that tell most of what it does not, within `room` tokens: first what
    was said, in its place in the history, then a little of what tools printed."""
    told = Stated(text)
    over = [words for anchor in knowledge.superseded if (words := normalise(anchor.text))]
    terms = set(terms_in(text))
    chosen: list[Candidate] = []
    fresh = knowledge.note.through_seq if knowledge.note and tells_the_present(knowledge) else -1
    noted = max(fresh, noted_through(knowledge))
    shown = {candidate.kind for candidate in selection.chosen}
    for kind, printed, share in ((SectionKind.RECENT, False, 1.0), (SectionKind.FACTS, True, PRINTED)):
        most = len(chosen) + OUTPUTS
        left = int(room * share) - (0 if kind in shown else selection.headings[kind])
        units = tuple(
            unit
            for unit in knowledge.carried.units
            if (unit.source is Source.OUTPUT) is printed and not (_is_empty(unit) or 0 < unit.seq <= fresh or _is_retold(unit, noted))
        )
        for unit in best_units(replace(knowledge.carried, units=units), terms, left, costs.words, extra=FRAME) if left >= LEAST else ():
            words = normalise(unit.text)
            if told.states(unit.text) or any(old in words or words in old for old in over):
                continue
            (candidate,) = costs.priced((_line(unit, kind),))
            if candidate.item.tokens <= left:
                left -= candidate.item.tokens
                room -= candidate.item.tokens
                chosen.append(candidate)
                if printed and len(chosen) >= most:
                    break
                terms.update(terms_in(unit.text))
    return selection.with_chosen((*selection.chosen, *chosen)) if chosen else selection


def _is_retold(unit: KeptUnit, noted: int) -> bool:
    """Whether the agent's own note, which tells how the work came up to message `noted`, was written after what it said or was shown."""
    return unit.source is not Source.PERSON and 0 < unit.seq <= noted


def _is_empty(unit: KeptUnit) -> bool:
    """Whether a unit tells nothing by itself: what the agent is about to do, or lines of a file that a tool showed."""
    if is_filler(unit.text):
        return True
    if unit.source is Source.OUTPUT:
        return not _is_statement(unit.text)
    return unit.source is Source.AGENT and "\n" not in unit.text and announces(unit.text)


def _is_statement(text: str) -> bool:
    """Whether what a tool printed reads like words rather than lines of a file, a list of names or a table."""
    letters = sum(1 for sign in text if sign.isalpha() or sign == " ")
    if len(_NAMES.findall(text)) * LISTED > len(text.split()):
        return False
    if _NUMBERED.match(text) or _ACKNOWLEDGES.match(text) or text.lstrip().startswith("<") or instructs(text):
        return False
    return len(_WORD.findall(text)) >= STATING and letters >= LETTERS * len(text)


def _line(unit: KeptUnit, kind: SectionKind) -> Candidate:
    text = unit.text if len(unit.text) <= UNIT else clip(one_line(unit.text), UNIT)
    if unit.source is Source.OUTPUT:
        text = as_data(clip(one_line(unit.text), OUTPUT))
    line = message_line(kind, LABELS[unit.source], Quote(text, Ref(unit.seq)), IMPORTANCE)
    return line._replace(item=line.item._replace(key=f"unit@{unit.seq}.{unit.part}.{unit.start}"), start=unit.start)
