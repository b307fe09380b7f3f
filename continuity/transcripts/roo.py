"""Roo Code's way of writing tool results, and what its user says about them, as text in the user's role."""

from __future__ import annotations

import re

from continuity.transcripts.model import Voice
from continuity.transcripts.parts import Parts
from continuity.transcripts.words import split_words

_HEADING = re.compile(r"\[(\w{1,60})(?: for '|\])[^\n]*\] Result:|\[(\w{1,60})\] Result:")
_NUDGE = re.compile(r"\[ERROR\] You did not use a tool in your previous response!")
_FAILED = "The tool execution failed with the following error:"


class RooText:
    """Reads the texts of one user message in order: a heading makes those after it the result of its tool."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tool = ""

    def speak(self, text: str) -> None:
        heading = _HEADING.match(text)
        if heading:
            self._tool = heading.group(1) or heading.group(2)
            self._parts.text(heading.group(), Voice.HARNESS)
            text = text[heading.end() :].strip()
        if _NUDGE.match(text):
            self._parts.text(text, Voice.HARNESS)
        elif self._tool and text.strip() and any(piece.voice is Voice.PERSON for piece in split_words(text)):
            self._result(text)
        else:
            self._parts.words(text)

    def _result(self, text: str) -> None:
        self._parts.result(text, "", name=self._tool, failed=True if _FAILED in text[:200] else None)
        _, opened, after = text.partition("<feedback>")
        said, closed, _ = after.partition("</feedback>")
        if opened and closed:
            self._parts.text(said.strip(), Voice.PERSON)
