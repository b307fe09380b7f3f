"""Telling that this process, or the whole machine, was not running for a while. Pure."""

from __future__ import annotations

# Whoever looks every quarter of a second and was away for so long was stopped, or slept.
UNSEEN_SECONDS = 2.0


class Wakefulness:
    """A machine that sleeps stops its monotonic clock, a process that is stopped does not: both clocks are looked at."""

    def __init__(self, wall: float, monotonic: float) -> None:
        self._wall, self._monotonic = wall, monotonic

    def look(self, wall: float, monotonic: float) -> float:
        """How many seconds passed since the last look in which nothing of this process ran; 0 where it was awake.

        A wall clock that was set forward looks like a sleep, which costs a round of grace and no more; set back, it says nothing.
        """
        stopped = monotonic - self._monotonic
        slept = (wall - self._wall) - stopped
        self._wall, self._monotonic = wall, monotonic
        unseen = max(stopped, slept)
        return unseen if unseen >= UNSEEN_SECONDS else 0.0
