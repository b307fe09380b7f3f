"""A turn about something else begins a segment: the person says so, or hardly any of its words were used before (lexical
cohesion, after Hearst's TextTiling)."""

from __future__ import annotations

from continuity.segments.incoming import IncomingMessage
from continuity.segments.model import SegmentLimits
from continuity.segments.open_segment import OpenSegment

# Fewer words than this tell nothing: "yes, go on" belongs to what went before.
TELLING = 5
LEAST = 0.15


def ends(opened: OpenSegment, coming: IncomingMessage, limits: SegmentLimits) -> bool:
    return coming.begins_turn and (coming.changes_subject or cohesion(opened, coming) < LEAST)


def cohesion(opened: OpenSegment, coming: IncomingMessage) -> float:
    """The share of the coming message's terms that the segment knows, 0..1; 1.0 where it has too few to tell."""
    if len(coming.terms) < TELLING:
        return 1.0
    return sum(term in opened.terms for term in coming.terms) / len(coming.terms)
