"""Ends a segment at a pause, at another topic, or at a turn that would not fit, whichever comes first."""

from __future__ import annotations

from continuity.segments.incoming import IncomingMessage
from continuity.segments.model import SegmentLimits
from continuity.segments.open_segment import OpenSegment
from continuity.segments.strategies import fixed, gap, topic


def ends(opened: OpenSegment, coming: IncomingMessage, limits: SegmentLimits) -> bool:
    return any(way.ends(opened, coming, limits) for way in (gap, topic, fixed))
