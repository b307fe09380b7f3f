"""Pauses before a process that died is started again."""

from __future__ import annotations

from dataclasses import dataclass

DELAYS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
STEADY_SECONDS = 60.0


@dataclass
class Backoff:
    """Seconds grow with each early death; one that came after a steady life starts over."""

    deaths: int = 0

    def next_delay(self, lived: float) -> float:
        """Count a death after `lived` seconds and return the seconds to wait."""
        if lived >= STEADY_SECONDS:
            self.deaths = 0
        delay = DELAYS[min(self.deaths, len(DELAYS) - 1)]
        self.deaths += 1
        return delay
