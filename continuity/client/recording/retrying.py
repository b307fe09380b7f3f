"""Retry pauses: 1, 5 and 30 seconds, then every 60 (FR-002a)."""

from __future__ import annotations

import time

WAITS = (1.0, 5.0, 30.0, 60.0)


class Retrying:
    """Counts failures on the monotonic clock, which nobody sets back."""

    def __init__(self) -> None:
        self.failures = 0
        self.reason = ""
        self._next = 0.0

    @property
    def away(self) -> bool:
        return self.failures > 0

    @property
    def wait(self) -> float:
        """Seconds until the next attempt; 0 where it is due."""
        return max(0.0, self._next - time.monotonic())

    def failed(self, reason: str) -> None:
        self.put_off(WAITS[min(self.failures, len(WAITS) - 1)])
        self.failures += 1
        self.reason = reason

    def put_off(self, seconds: float) -> None:
        """The next attempt comes so much later, without a failure."""
        self._next = time.monotonic() + seconds

    def succeeded(self) -> None:
        self.failures = 0
        self.reason = ""
        self._next = 0.0
