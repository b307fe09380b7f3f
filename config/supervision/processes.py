"""Identity of a process: its pid with its start time, since a pid alone may be reused."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Identity:
    """A process by pid and start (clock ticks since boot on Linux, seconds elsewhere); equal only for the same process."""

    pid: int
    started: float

    def alive(self) -> bool:
        return started_at(self.pid) == self.started


def identify(pid: int) -> Identity | None:
    """Return the identity of a running process, or None if there is none (zombies count as gone)."""
    started = started_at(pid)
    return None if started is None else Identity(pid, started)


def own_identity() -> Identity:
    return Identity(os.getpid(), started_at(os.getpid()) or 0.0)


def started_at(pid: int) -> float | None:
    """Return the start of a process, None if it does not run."""
    if pid <= 0:
        return None
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None if Path("/proc/self/stat").exists() else _started_without_proc(pid)
    # The command name may hold spaces and brackets: the fields are counted from the last closing bracket.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else float(fields[19])


def _started_without_proc(pid: int) -> float | None:
    import psutil  # Only where there is no /proc (macOS); importing it costs more than everything else here.

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None
