"""Words that tell how far a task is (CONT-03's cues), and that a problem is solved."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.model import TaskStatus
from continuity.knowledge.rules.prefilter import PrefilteredPattern

_BLOCKED = PrefilteredPattern(
    r"\b(?:i'm|i am|we're|we are|it's|this is|is|are|now|currently|still) (?:\w+ )?(?:blocked|stuck)\b|\bblocked (?:by|on|until)"
    r"\b|\bwaiting (?:for|on)\b|\b(?:can't|cannot|unable to|can not) (?:proceed|continue|go on|push|access|finish)\b"
    r"|\brequires (?:your|access|approval|credentials|permission|a (?:token|key|decision|password|login))\b|\bneeds? your\b"
)
_WAITING = PrefilteredPattern(
    r"\b(?:which (?:would|do) you (?:prefer|want|like)|should i|shall i|do you want|would you like|please confirm|let me know (?:if"
    r"|which|how|what)|want me to)\b"
)
_NEAR = PrefilteredPattern(
    r"\b(?:almost (?:done|there|finished)|just need(?:s)? to|final step|last step|nearly (?:done|there|finished)|one (?:last|more) thing"
    r"|all that's left|only thing left)\b"
)
# Beyond doubt there is something left to do, whatever else the words call done.
_SURE = PrefilteredPattern(
    r"\b(?:almost|nearly|just about|practically) (?:all )?(?:done|there|finished|complete[d]?|ready|through)\b"
    r"|\b(?:i|we)(?:'ve| have| still)? (?:just|only|still) (?:need|have|got) to\b"
    r"|\b(?:final|last|remaining) steps?(?::| is\b| are\b| remains?\b| left\b)"
    r"|\ball that(?:'s| is)? (?:left|remains|remaining)\b|\bonly thing (?:left|that's left|remaining|that remains)\b"
    r"|\b(?:only|just) [^.;:?!]{1,80}? (?:is|are)? ?(?:left|remains?|remaining|missing|to go)\b"
    r"|\bfast fertig\b|\bpresque (?:fini|terminé)\b|\bcasi (?:listo|terminado)\b"
)
_LEFT = (
    re.compile(r"\b(?:i|we)(?:'ve| have| still)? (?:just|only|still) (?:need|have|got) to (?P<left>[^.;?!]{3,200})", re.I),
    re.compile(r"\bjust needs? to (?P<left>[^.;?!]{3,200})", re.I),
    re.compile(r"\b(?:final|last|remaining) steps?(?::| is| are) (?:to )?(?P<left>[^.;?!]{3,200})", re.I),
    re.compile(
        r"\b(?:all that(?:'s| is)? (?:left|remains|remaining)|only thing (?:left|that's left|remaining|that remains))"
        r"(?::| is| are)? (?:to )?(?P<left>[^.;?!]{3,200})",
        re.I,
    ),
    re.compile(r"\b(?:only|just) (?P<left>[^.;:?!]{3,120}?) (?:is|are)? ?(?:left|remains?|remaining|missing|to go)\b", re.I),
    re.compile(r"^(?P<left>[^.;:?!,]{3,120}?) (?:is|are|remains?) (?:still )?(?:left|missing|to do|open|remaining)\b", re.I),
)
_SUPPOSED = re.compile(r"^(?:if|once|when|after|until|unless)\b|\byou(?:'ll| will| would|'d)? (?:just|only|still) (?:need|have) to\b|\?$")
_STUCK = PrefilteredPattern(
    r"\b(?:can't|cannot|can not|unable to) (?:proceed|continue|go on|go any further|finish)\b|\b(?:blocked|stuck)\b"
    r"|\bwaiting (?:for|on)\b"
)
# What an agent waits for that runs by itself.
_RUNS = re.compile(
    r"\bwaiting (?:for|on) (?:(?:the|this|that|my|all|both|its|their|a|an)\b )?(?:[\w`./-]+ ){0,3}?"
    r"(?:tests?|runs?|builds?|commands?|jobs?|(?:sub-?)?agents?|process(?:es)?|suites?|ci|checks?|install(?:ation)?"
    r"|server|outputs?|results?|tasks?|containers?|downloads?|scans?|lint|compil\w+|scripts?"
    r"|pipelines?|workflows?|deploy\w*|it|them|completion)\b"
)
_ACTIVE = PrefilteredPattern(r"\b(?:working on|currently|in the middle of|let me|i'll now|in progress)\b")
_AHEAD = re.compile(
    r"^(?:suggested |possible |recommended |optional |my |the )?(?:next(?: steps?| up)?|remaining(?: work| steps?| tasks?)?|to ?do"
    r"|what's (?:left|next)|still to do|left to do|follow[- ]?ups?|pending(?: tasks?)?)\b"
)
_DONE = PrefilteredPattern(
    r"\b(?:done|fixed|completed?|finished|implemented|updated|added|removed|pushed|committed|merged|created|posted|resolved|ready|fertig"
    r"|terminé)\b|✅|✓"
)
_SOLVED = PrefilteredPattern(
    r"\b(?:fixed|resolved|solved|now (?:pass\w*|work\w*|green)|passes|passing|works now|no longer|cleared|corrected|addressed|green)\b"
)


def almost(text: str) -> bool:
    """Whether a sentence says that something, and not much, is left to do."""
    low = lowered(text)
    return _SURE.search(low) is not None and _SUPPOSED.search(low) is None


def left(texts: Sequence[str]) -> str:
    """What the first of some sentences that says so calls left, verbatim; empty where none does."""
    found = (match for text in texts for pattern in _LEFT if (match := pattern.search(text)))
    match = next(found, None)
    words = match["left"].strip(" *_`,:-") if match else ""
    return words if " " in words else ""  # a word alone was cut off before what it is about


def stuck(text: str) -> bool:
    """Whether a sentence says that its speaker can't go on, or waits for what does not run by itself."""
    low = lowered(text)
    return _STUCK.search(low) is not None and status_of(text) is TaskStatus.BLOCKED and _RUNS.search(low) is None


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
