"""Lines of a directive as claims, and what disagrees with them. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ClaimKind(StrEnum):
    """The kind of claim that a line makes."""

    GOAL = "goal"
    NEXT = "next"
    WAITING = "waiting"
    RULE = "rule"
    DECISION = "decision"
    OPEN = "open"
    FAULT = "fault"
    FACT = "fact"
    CHECK = "check"
    TREE = "tree"


# Where a wrong line misleads whoever reads it.
DECIDING = frozenset((ClaimKind.GOAL, ClaimKind.NEXT, ClaimKind.WAITING, ClaimKind.RULE))


class DisagreementCode(StrEnum):
    """The fault of a line."""

    GOAL_NOT_IN_WORK = "goal_not_in_work"
    NEXT_DONE = "next_done"
    NEXT_PASSED = "next_passed"
    WAITING_WRONG = "waiting_wrong"
    OVER_TOLD_OPEN = "over_told_open"
    FAULT_MENDED = "fault_mended"
    TAKEN_BACK = "taken_back"
    NOT_CHOSEN = "not_chosen"
    ANNOUNCEMENT = "announcement"
    RULE_UNSAID = "rule_unsaid"
    RULE_FOR_ONCE = "rule_for_once"
    CHECK_BEFORE_EDIT = "check_before_edit"
    CHECK_OTHERWISE = "check_otherwise"
    COMMIT_BEFORE_EDIT = "commit_before_edit"


@dataclass(frozen=True, slots=True)
class ClaimedLine:
    """A line as a claim: its number (from 1), the section and label it stands under, its words, the message that it names as its source (0:
    none), and whether it says that it binds."""

    number: int
    telling: ClaimKind
    label: str
    words: str
    seq: int = 0
    binds: bool = False


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A line that does not agree with what happened, and why, in a sentence. `seq` is the message that shows it (0: none does)."""

    code: DisagreementCode
    telling: ClaimKind
    line: int
    words: str
    reason: str
    seq: int = 0
