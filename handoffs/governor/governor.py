"""`govern`: what a session's pressure asks for. The handoff decision comes first; cooldown and stall guard are never overruled."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from handoffs.policy import Decision

CALLS = 10  # the last so many calls whose bytes count


class GovernorAction(StrEnum):
    """What is done: nothing; fold, capture and a draft package; or prepare and resume."""

    OK = "ok"
    SNAPSHOT = "snapshot"
    REHYDRATE = "rehydrate"


@dataclass(frozen=True, slots=True)
class Pressure:
    """Since the last snapshot: turns of the person, bytes given in the last calls, distinct files given, lines that the diff grew by;
    and when it was made, or the session began."""

    turns: int = 0
    injected: int = 0
    files: int = 0
    diff_lines: int = 0
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class GovernorPolicy:
    """Thresholds; each asks for a snapshot. Rehydrating needs `doubled` of them at twice the value, and the window filled to
    `utilization`."""

    turns: int = 20
    injected: int = 65_536
    files: int = 40
    diff_lines: int = 800
    elapsed: timedelta = timedelta(minutes=45)
    doubled: int = 2
    utilization: float = 0.70


@dataclass(frozen=True, slots=True)
class Governed:
    """The action and what asked for it, in words."""

    action: GovernorAction
    reasons: tuple[str, ...] = ()


def govern(pressure: Pressure, decision: Decision, policy: GovernorPolicy, now: datetime) -> Governed:
    """Where a handoff is due: rehydrate, whatever the pressure. Where one is held back (a cooldown, one that would free nothing): never."""
    if decision.due:
        return Governed(GovernorAction.REHYDRATE, (decision.reason,))
    measured = _measured(pressure, policy, now)
    above = tuple(words for words, share in measured if share >= 1)
    if not above:
        return Governed(GovernorAction.OK)
    twice = tuple(words for words, share in measured if share >= 2)
    full = (decision.utilization or 0.0) >= policy.utilization
    if len(twice) >= policy.doubled and full and not decision.held:
        return Governed(GovernorAction.REHYDRATE, (*twice, f"the window is {decision.utilization or 0:.0%} full"))
    return Governed(GovernorAction.SNAPSHOT, above)


def _measured(pressure: Pressure, policy: GovernorPolicy, now: datetime) -> tuple[tuple[str, float], ...]:
    """Each signal in words, with its share of its threshold. A clock that went back counts as no time."""
    elapsed = max(now - pressure.since, timedelta()) if pressure.since else timedelta()
    return (
        (f"{pressure.turns} turns", pressure.turns / policy.turns),
        (f"{pressure.injected:,} bytes given", pressure.injected / policy.injected),
        (f"{pressure.files} files given", pressure.files / policy.files),
        (f"the diff grew by {pressure.diff_lines} lines", pressure.diff_lines / policy.diff_lines),
        (f"{int(elapsed.total_seconds() // 60)} minutes", elapsed / policy.elapsed),
    )
