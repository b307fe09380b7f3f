"""Salience of a sentence for a successor: wishes, outcomes and exact names weigh most."""

from __future__ import annotations

import re

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content, is_identifier, tokens
from continuity.knowledge.language.reply_structure import announces
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.rules.apply import is_prose
from continuity.segments.units import Speaker

PERSON, AGENT, PASTED = 1.0, 0.35, 0.15
OUTCOME, CAUSE, QUESTION, CONCLUSION, OPENING = 0.3, 0.25, 0.1, 0.2, 0.1
NAME, NAMES_AT_MOST = 0.06, 0.3
ANNOUNCED, LEADS_ON, EMPTY = 0.3, 0.2, 0.25

_OUTCOME = re.compile(
    r"\b(?:fixed|works?|working|passe[sd]|passing|fail(?:s|ed|ing)?|broken?|found|turns out|discovered|confirmed|verified|implemented"
    r"|added|removed|created|changed|replaced|renamed|moved|deleted|updated|committed|pushed|merged|released|deployed|done|completed?"
    r"|resolved|reverted|root cause|the (?:problem|issue|bug|cause|fix|result)|error|missing|wrong|cannot|can't|doesn't|unable)\b"
)
_CAUSE = re.compile(r"\b(?:because|since|so that|therefore|due to|instead of|rather than|but|only if|unless|must|never|always)\b")


def salience(sentence: Sentence, speaker: Speaker, *, last: bool) -> float:
    """0..2; `last` says that the message is the last in which its speaker spoke in the segment."""
    text = sentence.text
    if not is_prose(text) or sentence.kind is BlockKind.ROW:
        return PASTED
    weight = PERSON if speaker is Speaker.PERSON else AGENT
    low = lowered(text)
    names = sum(1 for token in tokens(text) if is_identifier(token))
    weight += min(NAMES_AT_MOST, NAME * names)
    weight += OUTCOME * bool(_OUTCOME.search(low)) + CAUSE * bool(_CAUSE.search(low)) + QUESTION * low.endswith("?")
    weight += OPENING * (sentence.index == 0) + CONCLUSION * last
    if speaker is Speaker.AGENT:
        weight -= ANNOUNCED * announces(text)
    weight -= LEADS_ON * text.rstrip(" *_").endswith(":")
    if sentence.kind is BlockKind.HEADING or len(content(text, 3)) < 2:
        weight -= EMPTY
    return max(0.0, weight)
