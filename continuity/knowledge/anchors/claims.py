"""The life of what an agent claims: a problem that it named and then mended, a cause that another one took the place of, a course that was
offered and not taken."""

from __future__ import annotations

import re

from continuity.knowledge.anchor_types import FINDINGS
from continuity.knowledge.anchors import recording
from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.model import AnchorState, AnchorType, RequestState, Truth
from continuity.knowledge.requests.progress import head_place
from continuity.knowledge.state.step import FoldStep

_PROBLEM = re.compile(
    r"\b(?:the|a|another) (?:actual |real |main |underlying |root )?(?:issue|problem|bug|error|cause|culprit|reason)(?: here)? (?:is|was)\b"
    r"|\broot cause\b|\bfound (?:it|the (?:issue|bug|problem|cause))\b"
    r"|\bis (?:undefined|missing|broken|failing|wrong|not (?:defined|imported))\b"
    r"|\b(?:fails|is failing|are failing) (?:because|since|with|due)\b|\bneeds? to be (?:fixed|updated|changed|added|removed)\b"
)
_ANOTHER = re.compile(
    r"\b(?:turns out|the (?:actual|real) (?:issue|problem|bug|cause|reason|root cause)|was(?:n't| not) the (?:issue|problem|cause)"
    r"|that(?:'s| is| was) not (?:it|the (?:issue|problem|cause))|i was wrong|my (?:earlier|first|previous) \w+ was wrong)\b"
)
PROBLEM = "problem"  # what is over when the work that it stood in is done


def names_problem(text: str) -> bool:
    """Whether a claim says what is wrong, or why."""
    return _PROBLEM.search(lowered(text)) is not None


def until_of(type: AnchorType, truth: Truth, text: str) -> str:
    """What an agent's finding waits for: what is wrong is so until it is mended."""
    return PROBLEM if truth is Truth.CLAIMED and type in FINDINGS and names_problem(text) else ""


def found_another(step: FoldStep, text: str) -> None:
    """Words that name another cause take the place of those that were named before in the same work."""
    if _ANOTHER.search(lowered(text)) is None:
        return
    place = head_place(step.state.requests)
    since = step.state.requests[place].seq if place >= 0 else 0
    for shelf in (step.state.open, step.state.errors):
        for name, item in shelf.items():
            if item.until == PROBLEM and since <= item.seq < step.seq:
                recording.settle(step, shelf, name, AnchorState.SUPERSEDED)


def mended(step: FoldStep) -> None:
    """The problems that were named in a piece of work are over when it is done by changes, and no check failed last."""
    rows = step.state.requests
    place = head_place(rows)
    if place < 0 or rows[place].state is not RequestState.DONE or not any(row.files for row in rows[place:]):
        return
    for shelf in (step.state.open, step.state.errors):
        for name, item in shelf.items():
            if item.until == PROBLEM and item.seq >= rows[place].seq and item.seq < step.seq:
                recording.settle(step, shelf, name, AnchorState.RESOLVED)


def not_taken(step: FoldStep, seq: int, by: str) -> None:
    """The courses that the agent proposed in message `seq` are over, but for the one that was chosen."""
    for name, item in step.state.open.items():
        if item.seq == seq and item.type is AnchorType.DECISION and item.truth is Truth.CLAIMED and item.key != by:
            recording.settle(step, step.state.open, name, AnchorState.SUPERSEDED, by)
