"""How long events take from `publish()` to their handlers, and when that is too long (FR-013). Pure.

What was measured is counted by bucket: bucket `i` holds what took at most `BOUNDS[i]` milliseconds, the last one what took longer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

LIMIT_MS = 10.0
BOUNDS = (1.0, 2.0, 3.0, 5.0, 7.5, LIMIT_MS, 25.0, 50.0, 100.0, 250.0, 1000.0, 5000.0)
BUCKETS = len(BOUNDS) + 1
WINDOW_MINUTES = 5
# Below so many, one slow event would be the 95th percentile.
LEAST = 20


def bucket_of(milliseconds: float) -> int:
    return bisect_left(BOUNDS, milliseconds)


@dataclass(frozen=True, slots=True)
class MeasuredLatency:
    """Whether the 95th percentile of `count` events is beyond the limit, and between which milliseconds it lies (None: no upper bound)."""

    count: int
    late: bool
    above_ms: float
    at_most_ms: float | None

    @property
    def words(self) -> str:
        return f"more than {self.above_ms:g} ms" if self.at_most_ms is None else f"{self.above_ms:g} to {self.at_most_ms:g} ms"


def measured(buckets: Sequence[int]) -> MeasuredLatency:
    """The percentile is the value at ⌊0.95·n⌋+1, so that of 1,000 the 951st counts: of which 50 are slow, those are."""
    count = sum(buckets)
    at = min(bisect_left(list(accumulate(buckets)), count * 95 // 100 + 1), len(BOUNDS))
    above = BOUNDS[at - 1] if at else 0.0
    late = count >= LEAST and above >= LIMIT_MS
    return MeasuredLatency(count, late, above, BOUNDS[at] if at < len(BOUNDS) else None)
