"""The thresholds of the decision, and what happened lately that holds an automatic handoff back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from continuity.core.thresholds import APPROACHING_AT, FOLD_AT, HANDOFF_AT, LONG_TASK_AT


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds as shares (0..1) of the context window, as CONT-02 and DESIGN "Decide" set them.

    `fold_at` is where knowledge is folded ahead of time; `boundary_at` is where a finished task may advance the
    automatic act. A handoff that freed less than `min_freed` of the window is not repeated. `automatic` is the team's
    switch, `licensed` whether its tier has automatic handoffs. Raises ValueError where the thresholds are out of order.
    """

    handoff_at: float = HANDOFF_AT
    long_task_at: float = LONG_TASK_AT
    long_task_steps: int = 5
    approaching_at: float = APPROACHING_AT
    approaching_turns: int = 5
    fold_at: float = FOLD_AT
    boundary_at: float = FOLD_AT
    cooldown: timedelta = timedelta(minutes=2)
    min_freed: float = 0.05
    automatic: bool = True
    licensed: bool = True

    def __post_init__(self) -> None:
        for name in ("handoff_at", "long_task_at", "approaching_at", "fold_at", "boundary_at"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise ValueError(f"{name}: must be above 0 and at most 1")
        if not 0.0 <= self.min_freed <= 1.0:
            raise ValueError("min_freed: must lie between 0 and 1")
        for name in ("long_task_steps", "approaching_turns"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: must not be negative")
        if self.cooldown < timedelta(0):
            raise ValueError("cooldown: must not be negative")
        if self.boundary_at > self.handoff_at:
            raise ValueError("boundary_at: must not be above handoff_at")


@dataclass(frozen=True, slots=True)
class Recent:
    """Recent events: when this conversation was resumed from a package, the share of the window that its last
    handoff freed, whether a task was just finished, and whether its chain takes no more handoffs."""

    resumed_at: datetime | None = None
    last_freed: float | None = None
    task_finished: bool = False
    chain_full: bool = False
