"""Runs of messages on one topic, at four levels of detail: a pure fold that finds them, and pure functions that tell them."""

from continuity.segments.expansion import below, expand
from continuity.segments.fault_isolation import Material
from continuity.segments.levels import summarise
from continuity.segments.model import RATIOS, Level, Levelled, Marker, Segment, SegmentLimits
from continuity.segments.open_segment import OpenSegment
from continuity.segments.segmenting import Segmented, segment
from continuity.segments.strategies import STRATEGIES

__all__ = [
    "RATIOS",
    "STRATEGIES",
    "Level",
    "Levelled",
    "Marker",
    "Material",
    "OpenSegment",
    "Segment",
    "SegmentLimits",
    "Segmented",
    "below",
    "expand",
    "segment",
    "summarise",
]
