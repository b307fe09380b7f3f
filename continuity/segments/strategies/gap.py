"""A long pause ends a segment."""

from __future__ import annotations

from continuity.segments.incoming import IncomingMessage
from continuity.segments.model import SegmentLimits
from continuity.segments.open_segment import OpenSegment


def ends(opened: OpenSegment, coming: IncomingMessage, limits: SegmentLimits) -> bool:
    return opened.last_at is not None and coming.at is not None and coming.at.timestamp() - opened.last_at >= limits.gap
