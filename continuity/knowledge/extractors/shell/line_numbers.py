"""Text that a tool shows with a number before each line, read without the numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

NUMBER = re.compile(r"[ \t]{0,8}(?P<number>\d{1,6})(?:→|\t|[:|] ?)")
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
    numbered = _counted([line for line in lines if line.strip()][:20])
    starts, shown, plain = [], [], []
    position = place = 0
    for line in lines:
        match = NUMBER.match(line) if numbered else None
        skipped = match.end() if match else 0
        starts.append(place)
        shown.append(position + skipped)
        plain.append(line[skipped:])
        position += len(line) + 1
        place += len(line) - skipped + 1
    return Plain("\n".join(plain), tuple(starts), tuple(shown))


def _counted(lines: list[str]) -> bool:
    """Whether lines begin with numbers that count them: times of a day and years do not."""
    numbers = [int(match["number"]) for line in lines if (match := NUMBER.match(line))]
    steps = sum(1 for before, after in pairwise(numbers) if after == before + 1)
    return 0 < len(numbers) >= min(SEEN, len(lines)) and steps >= (len(numbers) - 1) * 0.5
