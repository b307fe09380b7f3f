"""Dividing a stream of messages into segments: a fold, so that its cost never grows with the history.

Segmenting a prefix and then the rest gives the same segments as segmenting all at once, also when the state was stored between.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from continuity.distill.memo import remembering
from continuity.segments.arriving import Arriving, arriving
from continuity.segments.model import Limits, Segment
from continuity.segments.opening import OpenSegment
from continuity.segments.strategies import DEFAULT, STRATEGIES, Strategy
from continuity.transcripts.model import Message

STANDARD = Limits()


@dataclass(frozen=True, slots=True)
class Segmented:
    """The segment that is still open after the messages, and those that they closed, in order."""

    state: OpenSegment
    closed: tuple[Segment, ...]


def segment(
    state: OpenSegment, messages: Iterable[tuple[int, Message, int]], *, strategy: str = DEFAULT, limits: Limits = STANDARD
) -> Segmented:
    """Continue a copy of `state` with messages, each with its increasing sequence number and its tokens.

    `strategy` is a key of STRATEGIES; raises KeyError on another. A tool call and its result always stay together, and a
    turn does as far as the limits allow.
    """
    wants = STRATEGIES[strategy]
    opened = state.copy()
    closed: list[Segment] = []
    with remembering():
        for seq, message, tokens in messages:
            coming = arriving(seq, message, tokens)
            if _ends(opened, coming, wants, limits):
                closed.append(opened.so_far())
                opened = OpenSegment()
            opened.add(coming)
    return Segmented(opened, tuple(closed))


def _ends(opened: OpenSegment, coming: Arriving, wants: Strategy, limits: Limits) -> bool:
    """Whether the segment ends before the coming message."""
    if opened.messages < max(1, limits.minimum) or opened.waits:
        return False
    full = opened.messages >= limits.messages or opened.tokens + coming.tokens > limits.tokens
    return full or wants(opened, coming, limits)
