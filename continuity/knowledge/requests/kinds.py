"""What a message of the person is: a request, a question, an answer to what was put before them, a remark, or a mere "go on"."""

from __future__ import annotations

import re

from continuity.knowledge.anchors.supersession import changes_course
from continuity.knowledge.language.acceptance import acceptance, is_bare
from continuity.knowledge.language.content_words import is_identifier, tokens
from continuity.knowledge.language.requests import is_question, is_request
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.model import RequestKind

ANSWER = 25  # words of an answer to the agent's question, unless it asks for something itself
SAYS_SOMETHING = 6  # words from which a message without a request sets work

_GO_ON = re.compile(
    r"^(?:please |ok(?:ay)?,? )*(?:continue|go on|keep going|proceed|carry on|resume|next|go|weiter|mach weiter|continuer?)\b"
    r"[\w ,.!]{0,40}$"
)


def kind_of(words: str, sentences: list[Sentence], *, asked: bool) -> RequestKind:
    """The kind of a message in the person's own `words`; `asked` is whether the agent had put something before them."""
    low = lowered(words).strip()
    if _GO_ON.match(low) and not asked:
        return RequestKind.GO_ON
    if is_bare(words):
        return RequestKind.ANSWER if asked else RequestKind.GO_ON
    wants = any(is_request(s.text) for s in sentences)
    wonders = any(is_question(s.text) for s in sentences)
    if acceptance(words) is not None and not wonders:
        return RequestKind.ANSWER
    if asked and not wants and not wonders and len(words.split()) <= ANSWER:
        return RequestKind.ANSWER
    if any(changes_course(s.text) for s in sentences[:2]) and len(words.split()) <= 2 * ANSWER:
        return RequestKind.CORRECTION
    if wants:
        return RequestKind.REQUEST
    if wonders:
        return RequestKind.QUESTION
    says = len(words.split()) >= SAYS_SOMETHING or any(is_identifier(token) for token in tokens(words))
    return RequestKind.REQUEST if says else RequestKind.REMARK
