"""Text that a tool shows with a number before each line, read without the numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_NUMBER = re.compile(r"[ \t]{0,8}\d{1,6}(?:→|\t|[:|] ?)")
SEEN = 5  # so many numbered lines among the first tell that all are


@dataclass(frozen=True, slots=True)
class Plain:
    """The text without line numbers; `at` gives the place in the shown text of a place in it."""

    text: str
    starts: tuple[int, ...]
    shown: tuple[int, ...]

    def at(self, place: int) -> int:
        line = bisect_right(self.starts, place) - 1
        return self.shown[line] + place - self.starts[line]


def unnumbered(text: str) -> Plain:
    """The text as it stands where its first lines are not numbered."""
    lines = text.split("\n")
    numbered = sum(1 for line in lines[:20] if _NUMBER.match(line)) >= min(SEEN, len(lines))
    starts, shown, plain = [], [], []
    position = place = 0
    for line in lines:
        match = _NUMBER.match(line) if numbered else None
        skipped = match.end() if match else 0
        starts.append(place)
        shown.append(position + skipped)
        plain.append(line[skipped:])
        position += len(line) + 1
        place += len(line) - skipped + 1
    return Plain("\n".join(plain), tuple(starts), tuple(shown))
