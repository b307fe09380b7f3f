"""Figures of what asks the database: how long it takes, waits and works, and how often it asks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db import connection

from diagnostics.bench.rows import BenchRow, percentile, row, timed


def measure(name: str, work: Callable[[], object], n: int, target_ms: float | None) -> BenchRow:
    """`work` done `n` times after one that is not counted, which loads what is loaded once."""
    work()
    samples, processor, counts = [], [], []
    for _ in range(n):
        counted = _Counted()
        began = time.process_time()
        with connection.execute_wrapper(counted):
            samples.append(timed(work))
        processor.append((time.process_time() - began) * 1000)
        counts.append(counted)
    return replace(
        row(name, samples, target_ms=target_ms),
        queries=max(counted.queries for counted in counts),
        database_ms=round(percentile([counted.ms for counted in counts], 0.5), 2),
        processor_ms=round(percentile(processor, 0.5), 2),
    )


class _Counted:
    """Counts the statements of a connection, and the milliseconds that they took."""

    def __init__(self) -> None:
        self.queries, self.ms = 0, 0.0

    def __call__(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        self.queries += 1
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.ms += (time.perf_counter() - began) * 1000
