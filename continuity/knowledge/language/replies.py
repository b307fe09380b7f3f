"""Whether a message of the person answers the question with which the agent's words ended, whatever else it asks for."""

from __future__ import annotations

import re

from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import lowered, split

WORDS = 3  # of content at the beginning of a message that may take up the question
LAST = 4  # sentences, among them those of options and of what the agent would do itself
READ = 600  # characters of both sides that are looked at

_BEGINS = re.compile(
    r"(?:yes|yeah|yep|yup|ja|oui|no|nope|nein|non|not|neither|none|both|either|ok|okay|sure|good|great|right|fine|hm+|ouch|oh|ah|well|exactly"
    r"|agreed|the (?:first|second|third|last|other|former|latter)|that one|option|only|\(?[a-h1-9][).,:]?(?= |$))(?![\w'])"
)


def closing_question(said: str) -> str:
    """The last question among the last LAST sentences of the agent's words; empty where there is none."""
    asked = (each.text for each in reversed(split(said[-READ:])[-LAST:]) if each.text.rstrip(" *_\"”')`").endswith("?"))
    return next(asked, "")


def replies(words: str, said: str) -> bool:
    """Whether a message answers the question at the end of what the agent `said`: it begins as answers do, or takes up its words."""
    question = closing_question(said)
    if not question:
        return False
    sentences = split(words[:READ])
    first = lowered(sentences[0].text).strip() if sentences else ""
    if _BEGINS.match(first):
        return True
    return not set(content(first, WORDS)).isdisjoint(content(question, READ))
