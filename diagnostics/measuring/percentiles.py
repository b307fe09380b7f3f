"""Percentiles of what was counted by bucket. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil


def percentile(buckets: Sequence[int], bounds: Sequence[float], share: float) -> float | None:
    """The value below which `share` (0..1) of what was counted lies, straight between the bounds of its bucket; what lies above all bounds
    is told as the last of them. None where nothing was counted."""
    count = sum(buckets)
    if not count:
        return None
    rank = max(1, ceil(share * count))
    below = 0
    for number, within in enumerate(buckets[: len(bounds)]):
        if below + within >= rank:
            least = bounds[number - 1] if number else 0.0
            return least + (bounds[number] - least) * (rank - below) / within
        below += within
    return bounds[-1]
