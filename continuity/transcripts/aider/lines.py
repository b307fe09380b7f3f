"""Tells whose a line of aider's history is.

Aider ends every line of the person and of its own with two spaces, so that Markdown keeps the break; the model's answer
stands between them as it came. That tells a quote or a heading in an answer from aider's own.
"""

from __future__ import annotations

import re
from enum import StrEnum

_START = re.compile(r"# aider chat started at (\S[^\n]{0,60})\s*\Z")
_BREAK = "  "


class AiderLineKind(StrEnum):
    START = "start"
    PERSON = "person"
    TOOL = "tool"
    ANSWER = "answer"


def started_at(line: str) -> str:
    """The start of the session that the line opens, as aider wrote it; empty for any other line."""
    found = _START.match(line)
    return found.group(1) if found else ""


class LineKinds:
    """Follows the lines in order: a message of aider's own may run over several, of which only the last has the break."""

    MAX_RUN = 5000

    def __init__(self) -> None:
        self._last = AiderLineKind.ANSWER
        self._run = 0

    def of(self, line: str) -> AiderLineKind:
        kind = self._kind(line)
        opens = kind is AiderLineKind.TOOL and not line.endswith(_BREAK)
        self._run = (self._run + 1) % self.MAX_RUN if opens else 0
        if line.strip():
            self._last = kind
        return kind

    def _kind(self, line: str) -> AiderLineKind:
        if started_at(line):
            return AiderLineKind.START
        if line.startswith("####") and line.endswith(_BREAK) and line[4:5] == " ":
            return AiderLineKind.PERSON
        if line.startswith(">") and line.endswith(_BREAK):
            return AiderLineKind.TOOL
        if self._run or (line.startswith("> ") and self._last in (AiderLineKind.TOOL, AiderLineKind.PERSON)):
            return AiderLineKind.TOOL
        return AiderLineKind.ANSWER
