"""A directive within a hook's limit: whole lines are left out, those of least value first, and named. Pure."""

from __future__ import annotations

import re

# From the least valuable on; what has another heading goes last, and its last lines first.
GIVEN_UP = ("left out", "last exchanges", "files", "facts", "open questions", "state", "errors", "work", "check")
NAMED = 30
_REFERENCE = re.compile(r"\[(\w\d+)\]|\((f\d+)\)")


def fit(directive: str, limit: int, *, handoff: str) -> str:
    """The directive within `limit` characters; the very same where it fits."""
    if len(directive) <= limit:
        return directive
    lines = directive.splitlines()
    room = limit - 400  # for the line that tells what is left out
    size = len(directive)
    dropped: set[int] = set()
    for index in _by_value(lines):
        if size <= room:
            break
        dropped.add(index)
        size -= len(lines[index]) + 1
    references = [found for index in sorted(dropped) for pair in _REFERENCE.findall(lines[index]) for found in pair if found]
    named = " ".join(references[:NAMED]) + (" …" if len(references) > NAMED else "")
    told = f"{len(dropped)} lines did not fit here ({named}): `continuity expand REF --handoff {handoff}` shows them."
    kept = [line for index, line in enumerate(lines) if index not in dropped]
    return "\n".join([*kept[:-1], told, kept[-1]])[:limit]


def _by_value(lines: list[str]) -> list[int]:
    """The lines that may go, in the order in which they go; the frame stays."""
    heading, ranked = "", []
    for index, line in enumerate(lines):
        if line.startswith("## "):
            heading = line[3:].lower()
        elif 1 < index < len(lines) - 1 and line.strip():
            rank = next((place for place, name in enumerate(GIVEN_UP) if heading.startswith(name)), len(GIVEN_UP))
            ranked.append((rank, -index))
    return [-place for _, place in sorted(ranked)]
