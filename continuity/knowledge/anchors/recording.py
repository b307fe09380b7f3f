"""The book of anchors: each is entered once, raised when repeated, and settled at most once.

Words that are already current are not entered again. Where the repetition weighs as much as the first saying (the person's
words always do, the agent's beside its own), the anchor is found anew under its first key: the row then names the latest
place and a slightly higher importance. Words that were settled and are said again are a new anchor.
"""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.anchor_types import ADDRESSED, BINDING, LAID_DOWN, REPLACEABLE, RULES
from continuity.knowledge.anchors.keys import digest, key, normal
from continuity.knowledge.anchors.open_maps import entered, open_map
from continuity.knowledge.anchors.rules_in_force import REQUEST
from continuity.knowledge.anchors.supersession import Statement, superseded
from continuity.knowledge.language.amounts import amounts
from continuity.knowledge.language.clip import clip
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.standing import is_for_now, is_standing
from continuity.knowledge.language.subjects import alternative, chosen
from continuity.knowledge.language.subjects import rejected as find_rejected
from continuity.knowledge.language.subjects import subject as find_subject
from continuity.knowledge.model import Anchor, AnchorFound, AnchorSettled, AnchorState, AnchorType, Ref, Truth
from continuity.knowledge.requests import ledger
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.open_items import OpenAnchor
from continuity.knowledge.state.step import FoldStep

LONGEST = 600
REPEATED = 0.02  # importance gained by a repetition, three times at most

THOUGHT = "thought"  # what an agent thought and did not say

_RANK = {Truth.CLAIMED: 0, Truth.OBSERVED: 1, Truth.STATED: 2}


def is_critical(type: AnchorType, truth: Truth, importance: float, text: str) -> bool:
    """What a package never drops: what the person laid down for good, decided or corrected, open commitments, and decisions that were
    plainly taken. A rule for the request in which it stands is a part of that."""
    if truth is Truth.STATED:
        return is_standing(text) if type is AnchorType.CONSTRAINT else type in BINDING
    return type is AnchorType.COMMITMENT or (type is AnchorType.DECISION and importance >= 0.9)


def found(
    step: FoldStep,
    type: AnchorType,
    text: str,
    ref: Ref,
    importance: float,
    truth: Truth,
    method: str,
    *,
    rationale: str = "",
    rejected: str = "",
    until: str = "",
    critical: bool | None = None,
    words: tuple[str, ...] = (),
) -> str:
    """Enter an anchor, settling those it supersedes; returns its key, or the empty string where nothing was entered.

    `words` are what it is about where that is less than its text.
    """
    text = clip(text, LONGEST)
    ref = Ref(ref.seq, ref.part, ref.start, ref.start + len(text)) if ref.end - ref.start > len(text) else ref
    name = digest(normal(text))
    old, place = entered(step.state, name)
    if old is not None and place is not None:
        if type is AnchorType.ERROR or old.seq == step.seq or _RANK[truth] < _RANK[old.truth]:
            return ""
        if until == THOUGHT and old.until != THOUGHT:
            return ""  # it was said already
        if old.type is not type:
            if truth is not Truth.STATED or old.truth is Truth.STATED:
                return ""
            place.pop(name)
    words = words or content(text)
    if type is AnchorType.ERROR and truth is Truth.STATED:
        until = "report"
    elif type in RULES and truth is Truth.STATED and not until and is_for_now(text):
        until = REQUEST
    topic = find_subject(text) if type in REPLACEABLE else ""
    turned_down = rejected or (find_rejected(text) if type is not AnchorType.QUESTION else "")
    rejected = rejected or (alternative(text) if type in LAID_DOWN else "")
    if old is not None:
        importance = min(1.0, max(importance, old.importance) + (REPEATED if old.repeats < 3 else 0.0))
    anchor = Anchor(
        key=old.key if old else key(type.value, ref, step.state.generation),
        type=type,
        text=text,
        ref=ref,
        importance=round(importance, 3),
        truth=truth,
        method=method,
        critical=is_critical(type, truth, importance, text) if critical is None else critical,
        subject=topic,
        rationale=clip(rationale, 300),
        rejected=clip(rejected, 200),
    )
    much = amounts(text.lower()[:300]) if type in REPLACEABLE else ()
    item = OpenAnchor(
        anchor.key, type, step.seq, " ".join(words), topic, truth, anchor.importance, until, old.repeats + 1 if old else 0, much
    )
    if old is None:
        _supersede(step, replace(anchor, rejected=turned_down), words, much, thought=until == THOUGHT)
    open_map(step.state, type).put(name, item)
    step.changes.append(AnchorFound(anchor))
    return anchor.key


def _supersede(step: FoldStep, anchor: Anchor, words: tuple[str, ...], much: tuple[str, ...], *, thought: bool) -> None:
    """Settle what the anchor takes the place of; a thought takes only the place of thoughts."""
    latest = step.state.open.latest()
    earlier = ((name, item) for name, item in latest if item.seq < step.seq and (item.until == THOUGHT or not thought))
    for name in superseded(
        Statement(anchor.text, words, anchor.subject, anchor.rejected, chosen(anchor.text), anchor.type, anchor.truth, much), earlier
    ):
        settle(step, step.state.open, name, AnchorState.SUPERSEDED, anchor.key)


# What the ledger says behind words that a later message settled, and of which types where it did not replace them.
_MARKS = {AnchorState.SUPERSEDED: REPLACED, AnchorState.RESOLVED: SETTLED}


def settle(step: FoldStep, place: BoundedMap[OpenAnchor], name: str, state: AnchorState, by: str = "") -> None:
    """Close the open anchor kept under `name`."""
    item = place.pop(name)
    if item is not None:
        step.changes.append(AnchorSettled(item.key, state, step.seq, by))
        mark = _MARKS.get(state if state is AnchorState.SUPERSEDED or item.type in ADDRESSED else AnchorState.CURRENT, "")
        step.state.requests = ledger.outdated(step.state.requests, item.words, mark) if mark else step.state.requests


def settle_all(
    step: FoldStep, place: BoundedMap[OpenAnchor], until: frozenset[str], state: AnchorState = AnchorState.RESOLVED, by: str = ""
) -> None:
    """Close every open anchor in `place` that waits for one of `until`."""
    for name, item in place.items():
        if item.until in until:
            settle(step, place, name, state, by)


def forget_thoughts(step: FoldStep) -> None:
    """A report says what came of the thoughts before it."""
    for place in (step.state.open, step.state.errors):
        for name, item in place.items():
            if item.until == THOUGHT and item.truth is Truth.CLAIMED and item.seq < step.seq:
                settle(step, place, name, AnchorState.RESOLVED)


def retarget(place: BoundedMap[OpenAnchor], before: str, after: str) -> None:
    """Let every open anchor that waits for `before` wait for `after` instead."""
    for name, item in place.items():
        if item.until == before:
            place.replace(name, replace(item, until=after))
