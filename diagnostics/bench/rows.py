"""Figures of one measurement, and the machine they were taken on. Pure."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path


def percentile(samples: Sequence[float], share: float) -> float:
    """The nearest-rank percentile of `samples`, `share` in 0..1. Raises ValueError on no samples."""
    if not samples:
        raise ValueError("no samples")
    return sorted(samples)[max(0, ceil(share * len(samples)) - 1)]


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One line of the table. `specified_ms` and `target_ms` are None where nothing is demanded; `ok` compares p95 with both.

    Of pages: `queries` is the most that one sample asked of the database, `database_ms` the median of the time that it waited for the
    answers, `processor_ms` the median of our processor's time, which says the same on a busy machine.
    """

    name: str
    n: int
    p50_ms: float
    p95_ms: float
    specified_ms: float | None
    target_ms: float | None
    ok: bool
    queries: int | None = None
    database_ms: float | None = None
    processor_ms: float | None = None

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def row(
    name: str,
    samples_ms: Sequence[float],
    *,
    specified_ms: float | None = None,
    target_ms: float | None = None,
) -> BenchRow:
    p95 = percentile(samples_ms, 0.95)
    return BenchRow(
        name=name,
        n=len(samples_ms),
        p50_ms=round(percentile(samples_ms, 0.5), 2),
        p95_ms=round(p95, 2),
        specified_ms=specified_ms,
        target_ms=target_ms,
        ok=all(limit is None or p95 <= limit for limit in (specified_ms, target_ms)),
    )


def machine() -> str:
    """Processor, cores, system and Python, in one line."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that one call takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000
