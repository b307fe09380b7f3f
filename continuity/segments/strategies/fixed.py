"""Segments of about one size: a turn that begins when most of the room is taken begins the next one, so that it is not split."""

from __future__ import annotations

from continuity.segments.incoming import IncomingMessage
from continuity.segments.model import SegmentLimits
from continuity.segments.open_segment import OpenSegment

NEARLY = 0.6


def ends(opened: OpenSegment, coming: IncomingMessage, limits: SegmentLimits) -> bool:
    nearly_full = opened.messages >= NEARLY * limits.messages or opened.tokens >= NEARLY * limits.tokens
    return coming.begins_turn and nearly_full
