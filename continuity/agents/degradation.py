"""When a team's agents fail together, and when that is over (FR-010a). Pure."""

from __future__ import annotations

from datetime import timedelta

# More than three distinct agents within half a minute.
TOLERATED, WITHIN = 3, timedelta(seconds=30)
# Over when fewer than two remain failed for two minutes on end.
FEW, CALM_SECONDS = 2, 120.0
RETRY_SECONDS = 60.0
# What one look at the team may count of the time since the one before: longer ones saw nothing in between.
LONGEST_STEP = 15.0
SHARE = 2
RETRY_AFTER = 60


def begins(distinct: int) -> bool:
    """Whether so many agents that failed `WITHIN` are an incident."""
    return distinct > TOLERATED


def calm_after(calm: float, *, failed: int, elapsed: float) -> float:
    """Seconds for which fewer than two agents were failed, `elapsed` seconds after it was `calm`."""
    return calm + min(max(elapsed, 0.0), LONGEST_STEP) if failed < FEW else 0.0


def is_over(calm: float) -> bool:
    return calm >= CALM_SECONDS


def limit_of(most: int, *, degraded: bool) -> int:
    """How many conversations of agents may be live at once."""
    return most // SHARE if degraded else most
