"""Bounds on what is read of a conversation for a package, by its budget: the same from a database or a file."""

from __future__ import annotations

# No more anchors are read than could find room: short ones take about thirty tokens.
TOKENS_PER_ANCHOR = 30
FEW_ANCHORS = 60


def anchors_for(budget: int) -> int:
    """How many anchors are read that are not critical."""
    return max(FEW_ANCHORS, budget // TOKENS_PER_ANCHOR)
