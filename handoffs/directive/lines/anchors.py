"""Anchors as lines: each in its section, verbatim, with the reason and the alternative where they are known."""

from __future__ import annotations

from continuity.knowledge.directive_parser.grammar import (
    ANSWERS,
    BECAUSE,
    CLIP,
    PLACES,
    PROPOSALS,
    PROPOSED,
    REJECTED,
    SAID,
    SAYING,
    held_anchor,
)
from continuity.knowledge.model import Anchor, AnchorType, Knowledge, Truth
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.wording import clip, normalise, one_line
from handoffs.directive.references import References

# What is left of an anchor's importance when the conversation has moved on from it, and how fast it fades.
KEPT = {Truth.STATED: 0.8, Truth.OBSERVED: 0.6, Truth.CLAIMED: 0.55}
FADING = 2
# What an agent's own choices and corrections weigh beside a person's.
CLAIMED = 0.85
CHOICES = frozenset((AnchorType.DECISION, AnchorType.CORRECTION))
# What an agent claimed before the last turns, and did not say again, is told as said then.
LATELY = 3
# A superseded decision matters less than the one that took its place.
SUPERSEDED_SHARE = 0.6


def anchor_candidates(knowledge: Knowledge, references: References, limits: LineLimits) -> list[Candidate]:
    """One candidate per current anchor, and one "not" per superseded one; what an agent found out and later said otherwise is no choice
    that somebody might go back to."""
    last = max(knowledge.through_seq, 1)
    lately = knowledge.turns[-LATELY].seq if len(knowledge.turns) >= LATELY else 0
    current = [_current(anchor, references, limits, worth(anchor, last), lately) for anchor in knowledge.anchors]
    return current + [_superseded(anchor, references, limits) for anchor in knowledge.superseded if not _found_out(anchor)]


def _found_out(anchor: Anchor) -> bool:
    return anchor.truth is Truth.CLAIMED and anchor.type is AnchorType.FACT


def worth(anchor: Anchor, last: int) -> float:
    """An anchor's importance as the conversation has moved on from it: what a person said keeps most of its weight."""
    position = min(1.0, max(0.0, anchor.ref.seq / last))
    floor = KEPT[anchor.truth]
    trusted = CLAIMED if anchor.truth is Truth.CLAIMED and anchor.type in CHOICES else 1.0
    return anchor.importance * trusted * (floor + (1 - floor) * position**FADING)


def _current(anchor: Anchor, references: References, limits: LineLimits, importance: float, lately: int) -> Candidate:
    kind, label = PLACES[anchor.type]
    claimed = anchor.truth is Truth.CLAIMED
    if claimed and anchor.type is AnchorType.DECISION and anchor.method.startswith(PROPOSALS):
        label = PROPOSED
    elif claimed and not anchor.critical and anchor.type in SAYING and anchor.ref.seq < lately:
        label = SAID
    text = _words(anchor, limits)
    if anchor.truth is Truth.OBSERVED:
        text = as_data(text)
    reference = references.anchor(anchor)
    item = _item(anchor, reference, text + _because(anchor, limits), label, importance)._replace(claimed=claimed)
    return Candidate(kind, item, name=held_anchor(anchor.type, reference, critical=anchor.critical, claimed=claimed))


def _superseded(anchor: Anchor, references: References, limits: LineLimits) -> Candidate:
    by = references.replaced_by(anchor)
    text = _words(anchor, limits) + (f" (replaced by {by})" if by else "")
    item = _item(anchor, references.anchor(anchor), text, "not", anchor.importance * SUPERSEDED_SHARE, critical=False)
    return Candidate(SectionKind.DECISIONS, item)


def _words(anchor: Anchor, limits: LineLimits) -> str:
    """The anchor's own words: whole where it is critical, else with at most half of the middle left out."""
    words = one_line(anchor.text)
    # What was left out once stays as it is: half of the rest at every handoff would leave nothing.
    return words if anchor.critical or CLIP in words else clip(words, max(limits.anchor, len(words) * 3 // 5))


SHORT = 40  # characters of an answer that says little by itself


def _because(anchor: Anchor, limits: LineLimits) -> str:
    """The reason and the rejected alternative, where the anchor's own words do not hold them already. The question that a few words
    answer is never left out: without it they say nothing."""
    asked = anchor.rationale.endswith("?")
    if not (limits.reasons or (asked and len(anchor.text) <= SHORT)) or not (anchor.rationale or anchor.rejected):
        return ""
    own = normalise(anchor.text)
    parts = [(ANSWERS if asked else BECAUSE, anchor.rationale), (REJECTED, anchor.rejected if limits.reasons else "")]
    told = [f"{name}{clip(one_line(words), limits.anchor)}" for name, words in parts if words and normalise(words) not in own]
    return "".join(told)


def _item(anchor: Anchor, reference: str, text: str, label: str, importance: float, *, critical: bool | None = None) -> PackageItem:
    return PackageItem(reference, anchor.key, text, anchor.ref.seq, 0, importance, anchor.critical if critical is None else critical, label)
