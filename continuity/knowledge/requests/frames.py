"""A report that the agent put in a frame: words between fences, in a box or between ruled lines, as programs print them."""

from __future__ import annotations

import re

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.sentences import split

READ = 20_000  # characters of a text that may be a frame
TELLING, WORDS = 3, 4  # sentences and items that make the inside of a frame a report, and words of each
OF_CODE = 0.2  # share of its lines that may look like code

_FENCE = re.compile(r"[ \t]*(?:```|~~~)(?:text|txt|plain(?:text)?|markdown|md)?[ \t]*")
_RULED = re.compile(r"[ \t]*[-=_*\u2500-\u257f\u2580-\u259f]{3,}[ \t]*")
_CODE = re.compile(r".*(?:[{};]|\)\s*:|=>|\+\+|\\)\s*|\s*(?:[$>#]\s|import |from |def |class |func |fn |const |let |var |return\b|</?\w).*")


def unframed(text: str) -> str:
    """The text with the frame around it blanked, letter by letter, so that all else stays at its place; the text itself where it is no
    frame around a report: words beside it, code, or output."""
    if len(text) > READ:
        return text
    lines = text.split("\n")
    fences = [place for place, line in enumerate(lines) if _FENCE.fullmatch(line)]
    if len(fences) != 2:
        return text
    first, last = fences
    outside = [*lines[:first], *lines[last + 1 :]]
    if any(line.strip() and not _RULED.fullmatch(line) for line in outside):
        return text
    inside = [line for line in lines[first + 1 : last] if line.strip() and not _RULED.fullmatch(line)]
    if sum(_CODE.fullmatch(line) is not None for line in inside) > OF_CODE * len(inside):
        return text
    plain = "\n".join(" " * len(line) if _FENCE.fullmatch(line) or _RULED.fullmatch(line) else line for line in lines)
    return plain if _reports(plain) else text


def _reports(text: str) -> bool:
    told = [each for each in split(text) if each.kind in (BlockKind.PROSE, BlockKind.ITEM)]
    return sum(len(each.text.split()) >= WORDS for each in told) >= TELLING
