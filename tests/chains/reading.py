"""What a directive tells of a story: line by line, strictly."""

from __future__ import annotations

import re
from dataclasses import dataclass

from diagnostics.evaluation.coverage import covers
from tests.chains.stories import Story
from tests.chains.threads import Statement

# Words by which a line says that it holds no longer.
MARKED = re.compile(r"^- (?:not: |\[x\])|\(replaced by |no longer|turned out|instead of|rather than")
LEFT_OPEN = re.compile(r"promised and still open|^- \[ \]|^open question")
QUESTIONS = "## open questions"
# Sections that tell what was said, in order, and do not claim that it holds.
QUOTED = ("## history, oldest first", "## the agent’s last words", "## request in work")


@dataclass(frozen=True)
class Told:
    """What of a story is `missing` from a directive, what is told as if it still held, which finished request is offered again."""

    missing: tuple[Statement, ...]
    stale: tuple[Statement, ...]
    redone: tuple[str, ...]


def told(story: Story, text: str) -> Told:
    lines = _lines(text)
    words = [line for _, line in lines]
    return Told(
        tuple(s for s in story.holds if not any(covers(line, s.tokens) for line in words)),
        tuple(old for old, new in story.past if _is_stale(old, new, lines)),
        tuple(request for request in story.done if any(request.lower() in line and LEFT_OPEN.search(line) for line in words)),
    )


def _is_stale(old: Statement, new: Statement, lines: list[tuple[str, str]]) -> bool:
    """Whether a line tells the old without the new and without a mark; of promises and questions, whether it tells them as open."""
    return any(
        section not in QUOTED and covers(line, old.tokens) and not covers(line, new.tokens) and not MARKED.search(line)
        for section, line in lines
    )


def _lines(text: str) -> list[tuple[str, str]]:
    """(heading, line) in lower case."""
    section = ""
    found = []
    for line in text.lower().splitlines():
        section = line if line.startswith("## ") else section
        found.append((section, line))
    return found
