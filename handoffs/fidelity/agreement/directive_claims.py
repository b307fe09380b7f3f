"""Reading a rendered directive back as claims."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from continuity.knowledge.directive_parser.grammar import UNDERTAKEN, SectionKind
from continuity.knowledge.directive_parser.lines import Entry, read_lines
from handoffs.fidelity.agreement.model import ClaimedLine, ClaimKind

LINES = 600

_TELLING = {
    SectionKind.RULES: ClaimKind.RULE,
    SectionKind.DECISIONS: ClaimKind.DECISION,
    SectionKind.ERRORS: ClaimKind.FAULT,
    SectionKind.FACTS: ClaimKind.FACT,
}
_LABELS = {
    (SectionKind.GOAL, "goal"): ClaimKind.GOAL,
    (SectionKind.GOAL, ""): ClaimKind.GOAL,
    (SectionKind.NEXT, "request"): ClaimKind.GOAL,
    **dict.fromkeys(
        ((SectionKind.NEXT, label) for label in ("next step", "begun", "run again", "unanswered", "agreed", "asked")), ClaimKind.NEXT
    ),
    (SectionKind.NEXT, "waiting"): ClaimKind.WAITING,
    **dict.fromkeys(((SectionKind.TASKS, label) for label in ("open", "promise", UNDERTAKEN, "part")), ClaimKind.OPEN),
    **dict.fromkeys(((SectionKind.VERIFICATION, label) for label in ("check", "also checked")), ClaimKind.CHECK),
    **dict.fromkeys(((kind, "tree") for kind in (SectionKind.NEXT, SectionKind.STATE)), ClaimKind.TREE),
    # What says itself that it is from before, or not so, claims nothing about now.
    **dict.fromkeys(
        [(kind, label) for kind in (SectionKind.DECISIONS, SectionKind.FACTS, SectionKind.ERRORS) for label in ("said", "not", "proposed")],
        None,
    ),
}


def claimed_lines(text: str) -> tuple[ClaimedLine, ...]:
    """The lines of a directive that claim something about now, in their order, at most LINES. History, files and names claim nothing."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found = (_claim_of(entry, bisect_right(starts, entry.start)) for entry in read_lines(text, 0, len(text)))
    return tuple(line for line in found if line is not None)[:LINES]


def claim_kind(kind: SectionKind, label: str) -> ClaimKind | None:
    """The kind of claim that a line of a section makes; None where it claims nothing about now."""
    return _LABELS.get((kind, label), _TELLING.get(kind))


def _claim_of(entry: Entry, number: int) -> ClaimedLine | None:
    telling = claim_kind(entry.kind, entry.label)
    if telling is None:
        return None
    seq = int(entry.id[1:]) if entry.id.startswith("m") else 0
    return ClaimedLine(number, telling, entry.label, entry.text, seq, bool(entry.own and entry.own.critical))
