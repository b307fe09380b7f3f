"""Words that tell how far a task is (CONT-03's cues), and that a problem is solved."""

from __future__ import annotations

import re

from continuity.distill.language.sentences import lowered
from continuity.distill.language.sieve import Guarded
from continuity.distill.model import TaskStatus

_BLOCKED = Guarded(
    r"\b(?:i'm|i am|we're|we are|it's|this is|is|are|now|currently|still) (?:\w+ )?(?:blocked|stuck)\b|\bblocked (?:by|on|until)"
    r"\b|\bwaiting (?:for|on)\b|\b(?:can't|cannot|unable to|can not) (?:proceed|continue|go on|push|access|finish)\b"
    r"|\brequires (?:your|access|approval|credentials|permission|a (?:token|key|decision|password|login))\b|\bneeds? your\b"
)
_WAITING = Guarded(
    r"\b(?:which (?:would|do) you (?:prefer|want|like)|should i|shall i|do you want|would you like|please confirm|let me know (?:if"
    r"|which|how|what)|want me to)\b"
)
_NEAR = Guarded(
    r"\b(?:almost (?:done|there|finished)|just need(?:s)? to|final step|last step|nearly (?:done|there|finished)|one (?:last|more) thing"
    r"|all that's left|only thing left)\b"
)
_ACTIVE = Guarded(r"\b(?:working on|currently|in the middle of|let me|i'll now|in progress)\b")
_AHEAD = re.compile(
    r"^(?:suggested |possible |recommended |optional |my |the )?(?:next(?: steps?| up)?|remaining(?: work| steps?| tasks?)?|to ?do"
    r"|what's (?:left|next)|still to do|left to do|follow[- ]?ups?|pending(?: tasks?)?)\b"
)
_DONE = Guarded(
    r"\b(?:done|fixed|completed?|finished|implemented|updated|added|removed|pushed|committed|merged|created|posted|resolved|ready|fertig"
    r"|terminé)\b|✅|✓"
)
_SOLVED = Guarded(
    r"\b(?:fixed|resolved|solved|now (?:pass\w*|work\w*|green)|passes|passing|works now|no longer|cleared|corrected|addressed|green)\b"
)


def is_done(text: str) -> bool:
    """Whether a sentence declares work finished."""
    return _DONE.search(lowered(text)) is not None


def plans_ahead(under: str) -> bool:
    """Whether a heading announces the work that is left."""
    return _AHEAD.match(under) is not None


def solved(text: str) -> bool:
    """Whether a sentence speaks of something as put right."""
    return _SOLVED.search(lowered(text)) is not None


def status_of(text: str) -> TaskStatus | None:
    """The status that a statement about a task gives it, or None."""
    low = lowered(text)
    if _BLOCKED.search(low):
        return TaskStatus.BLOCKED
    if _WAITING.search(low):
        return TaskStatus.AWAITING_INPUT
    if _NEAR.search(low):
        return TaskStatus.NEAR_COMPLETION
    return TaskStatus.IN_PROGRESS if _ACTIVE.search(low) else None
