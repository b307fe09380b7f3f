"""How many bytes each pack may have, by where it is shown and what the session does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from continuity.packs.fill import ANCHOR, CONTEXT, DELTA, WHOLE

NEW = 16_384  # bytes that one call may add to a session
HOOK = 9_900  # characters of all that a hook of ours adds
HOOK_ANCHOR = 3_000


class BudgetProfile(StrEnum):
    """Where packs are shown, and whether the session must save tokens."""

    HOOK = "hook"
    WHOLE = "whole"
    LOW_TOKEN = "low-token"  # noqa: S105  no secret


class WorkMode(StrEnum):
    """Whether the session plans, or changes code."""

    PLAN = "plan"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class PackBudget:
    """Bytes of UTF-8 of each pack, and of all three together."""

    anchor: int
    context: int
    delta: int
    whole: int

    def halved(self) -> PackBudget:
        return PackBudget(self.anchor // 2, self.context // 2, self.delta // 2, self.whole // 2)


# Who plans looks at many files and changes none; who works must see what changed.
_WHOLE = {
    WorkMode.CODE: PackBudget(ANCHOR, min(CONTEXT, NEW), DELTA, WHOLE),
    WorkMode.PLAN: PackBudget(ANCHOR, min(CONTEXT, NEW), DELTA // 2, WHOLE),
}
_HOOK = {
    WorkMode.CODE: PackBudget(HOOK_ANCHOR, 5_000, 3_400, HOOK),
    WorkMode.PLAN: PackBudget(HOOK_ANCHOR, 6_600, 1_700, HOOK),
}


def budget_of(profile: BudgetProfile, mode: WorkMode) -> PackBudget:
    if profile is BudgetProfile.WHOLE:
        return _WHOLE[mode]
    return _HOOK[mode].halved() if profile is BudgetProfile.LOW_TOKEN else _HOOK[mode]
