"""Sentences of people in a message."""

from __future__ import annotations

import re
from collections.abc import Iterator

from continuity.transcripts.base.model import Message, PartKind, Voice

# So much of a long text is read from its beginning, and half of it from its end: the cost of a message is bounded.
READ = 6000
SENTENCES = 120
SHORTEST, LONGEST = 8, 240

_FENCE = re.compile(r"```.*?(?:```|\Z)|^ {4,}\S.*$|^>.*$|^[^\S\n]*(?:at |File \")\S.*$", re.S | re.M)
_DIRECTIVE = re.compile(r"-{3,}\s*SESSION CONTINUATION\s*-{3,}.*?(?:-{3,}\s*END CONTINUATION\s*-{3,}|\Z)", re.S)
_TAGGED = re.compile(r"<([a-z][\w-]*)\b[^>\n]*>.*?</\1>", re.S)
_PROGRAM = re.compile(
    r"\s*(?:[\[{]\s*\"\w+\"\s*:|<[a-z][\w-]*>|\[Request interrupted|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[⎿⏺╭│╰]"
    r"|(?:Caveat|This session is being continued)\b|(?:at |File \")\S)"
)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9`\"'(])|(?<!\s)[^\S\n]*+\n\s*(?:[-*•]\s+|\d+[.)]\s+)?")


def sentences_of(message: Message, voice: Voice, *, longest: int = LONGEST, most: int = SENTENCES, read: int = READ) -> Iterator[str]:
    """The sentences of a voice, without quoted code, tags and directives, at most so many of them, in so many characters of a text."""
    found = 0
    for text in texts_of(message, voice, read=read):
        for sentence in _END.split(_TAGGED.sub("\n", _FENCE.sub("\n", _DIRECTIVE.sub("\n", text)))):
            words = " ".join(sentence.split()).strip(" -*•")
            if SHORTEST <= len(words) <= longest:
                yield words
                found += 1
                if found == most:
                    return


def is_of_program(text: str) -> bool:
    """Whether a program wrote what stands in a person's place: a record, a tag of a tool, a line of a log."""
    return _PROGRAM.match(text) is not None


def tidy(text: str) -> str:
    """A text on one line, without directives and what stands in tags."""
    return " ".join(_TAGGED.sub(" ", _DIRECTIVE.sub(" ", text)).split())


def texts_of(message: Message, voice: Voice, *, read: int = READ) -> Iterator[str]:
    for part in message.parts:
        if part.kind is PartKind.TEXT and part.voice is voice:
            yield bounded(part.text, read)


def bounded(text: str, read: int = READ) -> str:
    return text if len(text) <= read else f"{text[: read * 2 // 3]}\n{text[-read // 3 :]}"
