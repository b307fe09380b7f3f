"""Finding the line of a briefing that somebody names: by number, key, reference or words."""

from __future__ import annotations

import re

from continuity.knowledge.anchors.keys import normal
from handoffs.briefing.model import Briefing, BriefingLine

MISSING = "the directive has no such line"
AMBIGUOUS = "several lines of the directive hold these words; give the line's number or more of its words"
FEWEST = 4  # characters of words that name a line
_REFERENCE = re.compile(r"#?([afmnt]\d{1,9})")


def find_line(briefing: Briefing, named: str) -> BriefingLine:
    """The line with this number (counted in the text, from 1), this key, this reference (`a12`, the first line whose source it is), or
    these words. Raises ValueError, which says what is wrong with the name."""
    lines = briefing.lines
    named = named.strip()
    if named.isascii() and named.isdigit() and len(named) <= 9:
        found = [line for line in lines if line.number == int(named)]
    elif by_key := [line for line in lines if line.key == named]:
        found = by_key[:1]
    elif reference := _REFERENCE.fullmatch(named.strip("[]()!?")):
        found = _of_source(lines, reference[1])[:1]
    else:
        found = _of_words(lines, normal(named))
    if not found:
        raise ValueError(MISSING)
    if len(found) > 1:
        raise ValueError(AMBIGUOUS)
    return found[0]


def _of_source(lines: list[BriefingLine], reference: str) -> list[BriefingLine]:
    """Lines whose own source it is, else those that hold its words or its path."""
    own = [line for line in lines if line.reference == reference]
    return own or [
        line
        for line in lines
        if reference in (source.reference for source in line.sources) or reference in (name for _, name in line.paths)
    ]


def _of_words(lines: list[BriefingLine], words: str) -> list[BriefingLine]:
    """The line that these are the words of, else those that have them among others."""
    if len(words) < FEWEST:
        return []
    whole = [line for line in lines if normal(line.words or line.text) == words]
    return whole[:1] or [line for line in lines if words in normal(line.text)]
