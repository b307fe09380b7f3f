"""Sentences of people in a message."""

from __future__ import annotations

import re
from collections.abc import Iterator

from continuity.transcripts.base.model import Message, PartKind, Voice

# So much of a long text is read from its beginning, and half of it from its end: the cost of a message is bounded.
READ = 6000
SENTENCES = 120
SHORTEST, LONGEST = 8, 240

_FENCE = re.compile(r"```.*?(?:```|\Z)|^ {4,}\S.*$|^>.*$|^\s*(?:at |File \")\S.*$", re.S | re.M)
_DIRECTIVE = re.compile(r"-{3,}\s*SESSION CONTINUATION\s*-{3,}.*?(?:-{3,}\s*END CONTINUATION\s*-{3,}|\Z)", re.S)
_TAGGED = re.compile(r"<([a-z][\w-]*)\b[^>\n]*>.*?</\1>", re.S)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9`\"'(])|\s*\n+\s*(?:[-*•]\s+|\d+[.)]\s+)?")


def sentences_of(message: Message, voice: Voice) -> Iterator[str]:
    """The sentences of a voice, without quoted code, tags and directives, at most SENTENCES of them."""
    found = 0
    for text in texts_of(message, voice):
        for sentence in _END.split(_TAGGED.sub("\n", _FENCE.sub("\n", _DIRECTIVE.sub("\n", text)))):
            words = " ".join(sentence.split()).strip(" -*•")
            if SHORTEST <= len(words) <= LONGEST:
                yield words
                found += 1
                if found == SENTENCES:
                    return


def texts_of(message: Message, voice: Voice) -> Iterator[str]:
    for part in message.parts:
        if part.kind is PartKind.TEXT and part.voice is voice:
            yield bounded(part.text)


def bounded(text: str) -> str:
    return text if len(text) <= READ else f"{text[: READ * 2 // 3]}\n{text[-READ // 3 :]}"
