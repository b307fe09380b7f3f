"""Sketches of documents that the agent wrote, such as a review or a list of what is put off: what they are about, point by point."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED
from continuity.knowledge.requests.gist import fitting
from continuity.knowledge.requests.outline import cut, is_item
from continuity.knowledge.requests.whole_sentences import sentences_of

SIZE = 1000  # characters of a document's sketch
LINE = 200
LONG = 3000  # characters of a document that is told by its headings alone
SAYS = 12  # characters, fewer of which are a number or a mark
LEAST = 2  # points without which it tells nothing

_HEADING = re.compile(r"#{1,4} +\S")
_TITLE = re.compile(r"title: *(?P<quote>[\"']?)(?P<title>.{4,160}?)(?P=quote) *$")
_ABOVE = 12  # lines within which a title stands above a document
_FENCES = ("```", "~~~")
_RULE = re.compile(r"[-=_*]{3,}")


def document_sketch(lines: Sequence[str]) -> str:
    """The headings that the marked lines of an edit bring into a document, and of a short one its points; empty where there are few."""
    added = [line[1:].rstrip() for line in lines if line[:1] == "+"]
    long = sum(map(len, added)) > LONG
    title = next((match["title"] for line in added[:_ABOVE] if (match := _TITLE.match(line))), "") if added[:1] == ["---"] else ""
    points = [line for line in _prose(added) if _HEADING.match(line) or (not long and is_item(line.strip()))]
    if len(points) < LEAST:
        return ""
    told = [f"+{line}" for point in ([title] if title else []) + points if (line := _whole(point))]
    kept = fitting(told, SIZE)
    while len(kept) < len(told) and kept and _HEADING.match(kept[-1][1:]) and not long:
        kept.pop()  # nothing of what stands below it is told
    return "\n".join([*kept, *([f"+{ELIDED}"] if len(kept) < len(told) else [])])


def _whole(point: str) -> str:
    """The whole sentences of a point that fit, at least its first one; empty where that finds no room."""
    line = cut(point, LINE)
    if not line.endswith(CLIP):
        return line
    indent = point[: len(point) - len(point.lstrip())]
    first = next((each for each in sentences_of(point) if len(each) > SAYS), "")
    return f"{indent}{first}" if 0 < len(first) <= LINE else ""


def _prose(lines: Sequence[str]) -> list[str]:
    """The lines that are neither code nor stand above the document in a head of their own."""
    if lines[:1] == ["---"] and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    found: list[str] = []
    inside = False
    for line in lines:
        if line.lstrip().startswith(_FENCES):
            inside = not inside
        elif not inside and line.strip() and not _RULE.fullmatch(line.strip()):
            found.append(line)
    return found
