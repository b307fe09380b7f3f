"""Beats as marks on a strip of time, the latest at its right end. Pure."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 100.0, 28.0
SECONDS = 60.0


def strip(times_ms: Sequence[int], *, now_ms: int, seconds: float = SECONDS) -> str:
    """The `d` of a path in a box of 100 × 28: an upright line for each beat of the last `seconds`; empty where there is none."""
    ages = sorted({max(0, now_ms - each) / 1000 for each in times_ms}, reverse=True)
    return "".join(f"M{WIDTH - age / seconds * WIDTH:.1f} 4V{HEIGHT - 4:.0f}" for age in ages if age <= seconds)
