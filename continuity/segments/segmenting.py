"""Dividing a stream of messages into segments: a fold, so that its cost never grows with the history.

Segmenting a prefix and then the rest gives the same segments as segmenting all at once, also when the state was stored between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from continuity.core.isolation import Skipped, read_on
from continuity.knowledge.state.fold_cache import remembering
from continuity.segments.incoming import IncomingMessage, incoming_message
from continuity.segments.model import Segment, SegmentLimits
from continuity.segments.open_segment import OpenSegment
from continuity.segments.strategies import DEFAULT, STRATEGIES, Strategy
from continuity.transcripts.base.model import Message

STANDARD = SegmentLimits()
READER = "segments"


@dataclass(frozen=True, slots=True)
class Segmented:
    """The segment that is still open after the messages, and those that they closed, in order; which messages were passed over since
    reading them raised."""

    state: OpenSegment
    closed: tuple[Segment, ...]
    skipped: Skipped = ()


def segment(
    state: OpenSegment, messages: Iterable[tuple[int, Message, int]], *, strategy: str = DEFAULT, limits: SegmentLimits = STANDARD
) -> Segmented:
    """Continue a copy of `state` with messages, each with its increasing sequence number and its tokens.

    `strategy` is a key of STRATEGIES; raises KeyError on another. A tool call and its result always stay together, and a
    turn does as far as the limits allow.
    """
    begun = Segmented(state, ())
    read = partial(_read, STRATEGIES[strategy], limits)
    divided, passed = read_on(begun, list(messages), read=read, pass_over=_pass_over, reader=READER)
    return replace(divided, skipped=passed)


def _read(wants: Strategy, limits: SegmentLimits, before: Segmented, messages: Sequence[tuple[int, Message, int]]) -> Segmented:
    opened, closed = before.state.copy(), list(before.closed)
    with remembering():
        for seq, message, tokens in messages:
            coming = incoming_message(seq, message, tokens)
            if _ends(opened, coming, wants, limits):
                closed.append(opened.so_far())
                opened = OpenSegment()
            opened.add(coming)
    return Segmented(opened, tuple(closed))


def _pass_over(before: Segmented, message: tuple[int, Message, int]) -> Segmented:
    """The message lies in the segment that is open, and tells nothing of what that is about."""
    opened = before.state.copy()
    opened.add(IncomingMessage(message[0], message[2]))
    return replace(before, state=opened)


def _ends(opened: OpenSegment, coming: IncomingMessage, wants: Strategy, limits: SegmentLimits) -> bool:
    """Whether the segment ends before the coming message."""
    if opened.messages < max(1, limits.minimum) or opened.waits:
        return False
    full = opened.messages >= limits.messages or opened.tokens + coming.tokens > limits.tokens
    return full or wants(opened, coming, limits)
