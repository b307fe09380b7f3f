"""The use of an agent's processes: processor, memory, disk (FR-048). Read from `/proc`; where there is none, nothing is told."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# So often it is looked: a look costs some tenths of a millisecond.
LOOK_SECONDS = 10.0
# Of an agent that starts more, the first are counted.
MOST_PROCESSES = 200
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class ProcessTotals:
    """Since the processes began: seconds of the processor, bytes to and from disks; and bytes of memory held now."""

    processor: float
    disk: int
    memory: int


class UsageMeter:
    """Tells what a process and all that it started used since the look before."""

    def __init__(self, *, proc: Path = PROC) -> None:
        self._proc = proc
        self._pid = 0
        self._before: tuple[float, ProcessTotals] | None = None

    def look(self, pid: int, now: float | None = None) -> dict[str, float] | None:
        """`cpu_cores`, `memory_bytes` and `disk_bytes_per_second`; None where it is too early to say, or nobody can."""
        now = time.monotonic() if now is None else now
        if pid != self._pid:
            self._pid, self._before = pid, None
        if self._before is not None and now - self._before[0] < LOOK_SECONDS:
            return None
        found = totals(pid, self._proc)
        before, self._before = self._before, None if found is None else (now, found)
        if found is None or before is None:
            return None
        seconds = now - before[0]
        return {
            # What a process used that is gone is not lost where its parent waited for it; else it is, and nothing becomes negative.
            "cpu_cores": round(max(0.0, found.processor - before[1].processor) / seconds, 4),
            "memory_bytes": found.memory,
            "disk_bytes_per_second": round(max(0, found.disk - before[1].disk) / seconds, 1),
        }


def totals(pid: int, proc: Path = PROC) -> ProcessTotals | None:
    """The totals of the process and all below it. None where the process is gone, or the system does not tell."""
    processor, disk, memory, ticks, page = 0.0, 0, 0, os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    seen = 0
    for each in family(pid, proc):
        try:
            # The name stands in brackets and may hold any sign; the fields behind it are utime, stime, cutime and cstime.
            fields = (proc / str(each) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            processor += sum(int(field) for field in fields[11:15]) / ticks
            memory += int((proc / str(each) / "statm").read_text(encoding="ascii").split()[1]) * page
            seen += 1
            disk += _disk(proc / str(each) / "io")
        except (OSError, ValueError, IndexError):
            continue  # It ended meanwhile.
    return ProcessTotals(processor, disk, memory) if seen else None


def _disk(path: Path) -> int:
    counted = dict(line.partition(": ")[::2] for line in path.read_text(encoding="ascii").splitlines())
    return int(counted.get("read_bytes", 0)) + int(counted.get("write_bytes", 0))


def family(pid: int, proc: Path = PROC) -> Iterator[int]:
    """The process and all below it; where there is no `/proc`, itself alone."""
    waiting, known = [pid], 0
    while waiting and known < MOST_PROCESSES:
        each = waiting.pop()
        known += 1
        yield each
        try:
            for task in (proc / str(each) / "task").iterdir():
                waiting += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
        except (OSError, ValueError):
            continue
