"""What is told of one message in one block: its points, and what was said in it besides, each where it belongs and once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED
from continuity.knowledge.state.fold_cache import cached

TWICE = 24  # characters of a line that a block does not tell twice
SAYS = 4  # words of a line by which it is known in a longer one
_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_FENCED = re.compile(r"(?<=\S )```\w* ([^`]{1,300}?) ?```")  # a block of code within one line
_WORD = re.compile(r"\w+")


def block_of(texts: Sequence[str]) -> str:
    """The lines of the first text, and of each other one that stands for more than one of these its own in their place. A line that another
    one holds is told once; what none of them begins stands where the texts around it do."""
    lines = texts[0].split("\n") if texts else []
    fresh: list[str] = []  # what has no place yet
    last = len(lines)
    for text in texts[1:]:
        words = _words(text)
        held = [place for place, line in enumerate(lines) if len(_words(line)) >= SAYS and _holds(words, _words(line))]
        if not held:
            told = [line for line in text.split("\n") if len(line) < TWICE or not _is_told(line, (*lines, *fresh))]
            fresh += told
            continue
        first = held[0]
        mark = _MARK.match(lines[first])
        own = text.split("\n")
        if mark and not _MARK.match(own[0]):
            own[0] = f"{mark[0]}{own[0]}"
        following = [line for place, line in enumerate(lines) if place > first and place not in held]
        lines = [*lines[:first], *fresh, *own, *following]
        last = first + len(fresh) + len(own)
        fresh = []
    if fresh and last == len(lines) and ELIDED in lines:
        last = lines.index(ELIDED)  # what the text leaves out, before the words that it ends with
    return "\n".join(_FENCED.sub(r"`\1`", line) for line in (*lines[:last], *fresh, *lines[last:]))


def _is_told(line: str, lines: Sequence[str]) -> bool:
    """Whether another line holds a line."""
    words = _words(line)
    return line in lines or any(_words(other) == words or (len(words) >= SAYS and _holds(_words(other), words)) for other in lines)


@cached
def _words(text: str) -> tuple[str, ...]:
    """The words of a text, without its marks."""
    plain = _MARK.sub("", text, count=1) if _MARK.match(text) else text
    return tuple(word for found in _WORD.findall(plain.lower()) if (word := found.strip("_")))


def _holds(longer: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words stand in the longer ones, one behind the other."""
    size = len(words)
    return size <= len(longer) and any(
        longer[place] == words[0] and longer[place : place + size] == words for place in range(len(longer) - size + 1)
    )
