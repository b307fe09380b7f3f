"""Judging the lines of a directive by the course of the session. Pure and bounded: every line costs about the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from handoffs.fidelity.agreement import claims, present_lines, rules
from handoffs.fidelity.agreement.evidence import RawEvidence
from handoffs.fidelity.agreement.model import DECIDING, ClaimedLine, ClaimKind, Disagreement

# What one line that decides what is done weighs beside others, and what a directive scores at most where one of them is wrong.
WEIGHT = 4
AT_MOST = 0.8

Judge = Callable[[ClaimedLine, RawEvidence], Disagreement | None]
_JUDGES: dict[ClaimKind, tuple[Judge, ...]] = {
    ClaimKind.GOAL: (present_lines.goal,),
    ClaimKind.NEXT: (present_lines.next_step,),
    ClaimKind.WAITING: (present_lines.waiting,),
    ClaimKind.OPEN: (present_lines.still_open,),
    ClaimKind.RULE: (rules.rule,),
    ClaimKind.DECISION: (rules.bound, claims.not_chosen, claims.announced, claims.taken_back, claims.passing),
    ClaimKind.FACT: (rules.bound, claims.not_chosen, claims.announced, claims.taken_back, claims.passing),
    ClaimKind.FAULT: (claims.mended, claims.announced, claims.taken_back),
    ClaimKind.CHECK: (claims.checked,),
    ClaimKind.TREE: (claims.tree,),
}


def disagreements(lines: Iterable[ClaimedLine], evidence: RawEvidence) -> tuple[Disagreement, ...]:
    """Where lines do not agree with what happened, in their order, one for each line. Evidence without a turn refutes nothing."""
    if not evidence.turns:
        return ()
    found = (next((wrong for judge in _JUDGES[line.telling] if (wrong := judge(line, evidence))), None) for line in lines)
    return tuple(wrong for wrong in found if wrong is not None)


def agreement_of(lines: Sequence[ClaimedLine], wrong: Sequence[Disagreement]) -> float:
    """The share of what the lines claim that agrees, 0..1 with four digits; those that decide what is done weigh more,
    and where one of them is wrong it is at most AT_MOST. Of nothing 1.0."""
    whole = sum(_weight(line.telling) for line in lines)
    lost = sum(_weight(each.telling) for each in wrong)
    share = max(0.0, 1 - lost / whole) if whole else 1.0
    return round(min(share, AT_MOST) if any(each.telling in DECIDING for each in wrong) else share, 4)


def _weight(telling: ClaimKind) -> int:
    return WEIGHT if telling in DECIDING else 1
