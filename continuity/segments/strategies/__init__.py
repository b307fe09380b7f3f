"""Strategies that end a segment before its limits do; one module each."""

from __future__ import annotations

from collections.abc import Callable

from continuity.segments.incoming import IncomingMessage
from continuity.segments.model import SegmentLimits
from continuity.segments.open_segment import OpenSegment
from continuity.segments.strategies import fixed, gap, hybrid, topic

# Whether the open segment should end before the arriving message. Asked only where it may: no pair is split, the minimum is there.
Strategy = Callable[[OpenSegment, IncomingMessage, SegmentLimits], bool]

STRATEGIES: dict[str, Strategy] = {
    "fixed": fixed.ends,
    "gap": gap.ends,
    "topic": topic.ends,
    "hybrid": hybrid.ends,
}
DEFAULT = "hybrid"
