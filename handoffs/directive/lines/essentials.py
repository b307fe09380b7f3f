"""The lines without which a directive is none, in the order in which a very small budget keeps them."""

from __future__ import annotations

from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.references import References

ESSENTIALS = (
    "waiting",
    "next step",
    "begun",
    "unanswered",
    "goal",
    "check",
    "never checked",
    "asked",
    "reported",
    "request",
    "agreed",
    "agreed before",
    "goal is request",
    "note",
    "branch",
    "cwd",
)


def essential_line(kind: SectionKind, label: str, text: str, seq: int, *, critical: bool = False) -> Candidate:
    """A line of one of the ESSENTIALS; its label is its key."""
    importance = 1.0 - ESSENTIALS.index(label) / 100
    return Candidate(kind, PackageItem(References.message(seq), label, text, seq, 0, importance, critical, label), essential=True)
