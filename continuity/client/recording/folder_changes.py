"""Detects changed entries of a folder by one look at it."""

from __future__ import annotations

import time
from pathlib import Path

# Files get their times from a clock that ticks every few milliseconds; more may come within the same tick.
TICK_NS = 100_000_000
UNKNOWN, MISSING = -1, -2


class FolderChanges:
    """`changed` is true at first, and whenever entries came, went or were replaced since the last look."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen = UNKNOWN

    def changed(self) -> bool:
        try:
            at = self.folder.stat().st_mtime_ns
        except OSError:
            at = MISSING
        if at == self._seen:
            return False
        self._seen = UNKNOWN if at != MISSING and time.time_ns() - at < TICK_NS else at
        return True
