"""The marks of a finding that a sentence can bear, and how many it bears."""

from __future__ import annotations

import re

from continuity.knowledge.language.content_words import count_identifiers
from continuity.knowledge.rules.engine import RuleLine
from continuity.knowledge.state.fold_cache import cached

VALUE = re.compile(
    r"https?://|\b[0-9a-f]{7,40}\b|#\d+|\b[a-z]{2,6}-[0-9a-z]{1,6}\b|\bv?\d+\.\d+|\bport\b.{0,12}\d"
    r"|\b\d+(?:\.\d+)?\s?(?:%|ms|s|sec|seconds?|minutes?|min|hours?|days?|kb|mb|gb|tokens?|tests?|pages?|files?|lines?|rows?|users?"
    r"|items?|issues?|commits?|calls?)\b"
    r"|\b\d+ (?:out )?of (?:the )?\d+\b"
)
FINDING = (
    r"\broot cause\b|\bculprit\b"
    r"|\bthe (?:actual |real |main |underlying |fundamental )?(?:issue|problem|bug|cause|reason|difference|key|catch)\b"
    r"(?: here)? (?:is|was)\b"
    r"|\b(?:this|that|which) (?:is|was) (?:because|why|due to|caused)\b|\bturns out\b|\bbecause\b|\bsince\b|\bmeans\b|\bcaused by\b"
    r"|\bdue to\b|\b(?:confirmed|verified|found|discovered)\b|\bexplains\b|\balready\b|\bno longer\b"
    r"|\bnow (?:uses|has|returns|includes|points|accepts|shows|fetches|covers)\b"
    r"|\b(?:only|literally) (?:has|have|contains?|returns?|supports?|in|the)\b"
    r"|\bpre-existing\b|\b(?:does not|doesn't|don't) (?:exist|support|provide|appear|have|need)\b|\bso (?:it|the|we|that|this)\b"
)
_FINDING = re.compile(FINDING)
_STATE = re.compile(
    r"\b(?:added|removed|changed|fixed|renamed|moved|replaced|updated|created|closed|opened|posted|pushed|committed|merged|deleted"
    r"|configured|switched|extracted|inlined|rewrote|refactored|wired|simplified|implemented|completed|reverted|handles?|uses|stores?"
    r"|returns?|reads|writes|is|are|was|were|lives|contains|requires|supports|accepts|depends|expects|calls|passes|passed|succeeded)\b"
)
_LABEL = re.compile(r"(?:\*\*|`)[^*`\n]{2,80}(?:\*\*|`)\s*(?::|—|–|-|\()")
MARKS = 3  # that make a finding
FAMILIAR = 3  # earlier messages with a name that make it a recurring one


def count_marks(line: RuleLine) -> int:
    """How many marks of a finding a line bears: exact names, values, words of cause or change, a label, recurring names."""
    marks = count_identifiers(line.plain, 2)
    marks += _in_words(line.low)
    marks += 1 if _LABEL.match(line.sentence.text) else 0
    marks += 1 if line.usage >= FAMILIAR else 0
    return marks


@cached
def _in_words(low: str) -> int:
    return sum(pattern.search(low) is not None for pattern in (VALUE, _FINDING, _STATE))
