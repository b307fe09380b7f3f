"""Reading a rendered directive back as claims."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from continuity.knowledge.directive_parser.grammar import UNDERTAKEN, SectionKind
from continuity.knowledge.directive_parser.lines import Entry, read_lines
from handoffs.fidelity.agreement.model import Telling, ToldLine

LINES = 600

_TELLING = {
    SectionKind.RULES: Telling.RULE,
    SectionKind.DECISIONS: Telling.DECISION,
    SectionKind.ERRORS: Telling.FAULT,
    SectionKind.FACTS: Telling.FACT,
}
_LABELS = {
    (SectionKind.GOAL, "goal"): Telling.GOAL,
    (SectionKind.GOAL, ""): Telling.GOAL,
    (SectionKind.NEXT, "request"): Telling.GOAL,
    **dict.fromkeys(
        ((SectionKind.NEXT, label) for label in ("next step", "begun", "run again", "unanswered", "agreed", "asked")), Telling.NEXT
    ),
    (SectionKind.NEXT, "waiting"): Telling.WAITING,
    **dict.fromkeys(((SectionKind.TASKS, label) for label in ("open", "promise", UNDERTAKEN, "part")), Telling.OPEN),
    **dict.fromkeys(((SectionKind.VERIFICATION, label) for label in ("check", "also checked")), Telling.CHECK),
    (SectionKind.STATE, "tree"): Telling.TREE,
    # What says itself that it is from before, or not so, claims nothing about now.
    **dict.fromkeys(
        [(kind, label) for kind in (SectionKind.DECISIONS, SectionKind.FACTS, SectionKind.ERRORS) for label in ("said", "not", "proposed")],
        None,
    ),
}


def told_lines(text: str) -> tuple[ToldLine, ...]:
    """The lines of a directive that claim something about now, in their order, at most LINES. History, files and names claim nothing."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found = (_told(entry, bisect_right(starts, entry.start)) for entry in read_lines(text, 0, len(text)))
    return tuple(line for line in found if line is not None)[:LINES]


def telling_of(kind: SectionKind, label: str) -> Telling | None:
    """What a line of a section tells; None where it claims nothing about now."""
    return _LABELS.get((kind, label), _TELLING.get(kind))


def _told(entry: Entry, number: int) -> ToldLine | None:
    telling = telling_of(entry.kind, entry.label)
    if telling is None:
        return None
    seq = int(entry.id[1:]) if entry.id.startswith("m") else 0
    return ToldLine(number, telling, entry.label, entry.text, seq, bool(entry.own and entry.own.critical))
