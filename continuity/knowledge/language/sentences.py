"""Markdown-aware sentence splitting with exact spans, linear in the length of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from continuity.knowledge.language.blocks import Block, BlockKind, blocks
from continuity.knowledge.state.fold_cache import cached

LONGEST = 600  # characters of one unit; longer ones are cut at a space
ITEM = 400  # an item up to this length stays whole
SHORT = 14  # characters that tell of a full stop that it ends no sentence
QUOTED = 120  # characters of a quotation within a sentence
_SPANNING = ("`", '"')
_DOTS = ("...", "…")

_END = re.compile(r"(?<![.!?…])(?!(?<=\s)…)[.!?…]++[\"'”’)\]*_`]*+(?=\s)|[。！？]++")
_WORD = re.compile(r"\w")
_BREAK = re.compile(r"\n[ \t]*(?=\S)")
# How the number is said of what is named behind it: "I would like to look at 2. Move the branch".
NUMBER_OF_ONE = r"(?:at|with|do|take|pick|choose|prefer|like|want|for|of|and|or)\s{1,4}\d{1,2}"
# A full stop behind these ends no sentence; nor does one behind a long "nooo", which what comes next explains.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|vs|etc|cf|approx|resp|incl|no+|nr|z\.b|d\.h|bzw|ca|mr|mrs|dr|st|p\.ex|[a-z]"
    rf"|{NUMBER_OF_ONE})\.$",
    re.I,
)


@dataclass(slots=True)  # not frozen: one is made for each sentence, and that takes three times as long
class Sentence:
    """A sentence or whole list item: `text` is exactly `source[start:end]`.

    `under` is the heading or lead-in above it in lower case, `marker` the item's marker (`-`, `2`, `x` or ` ` of a
    checkbox). `index` counts from 0, `left` down to 0 at the end of the text; `block` numbers its paragraph.
    """

    text: str
    start: int
    end: int
    kind: BlockKind
    under: str = ""
    marker: str = ""
    index: int = 0
    left: int = 0
    block: int = 0


def split(text: str) -> list[Sentence]:
    """All sentences of prose, items, headings and table rows; code, quotations and markup lines are left out."""
    found: list[tuple[int, int, Block, int]] = []
    for number, block in enumerate(blocks(text)):
        if block.kind in (BlockKind.CODE, BlockKind.QUOTE):
            continue
        whole = block.kind is not BlockKind.PROSE and block.end - block.start <= ITEM
        cut = [(block.start, block.end)] if whole else spans(text, block.start, block.end)
        for start, end in cut:
            start, end = _trim(text, start, end)
            if end > start and _WORD.search(text, start, end):
                found.append((start, end, block, number))
    count = len(found)
    return [
        Sentence(text[start:end], start, end, block.kind, block.under, block.marker, i, count - 1 - i, number)
        for i, (start, end, block, number) in enumerate(found)
    ]


def spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sentence spans of a block: at end punctuation, and at line ends that are no mere wrapping."""
    cuts = sorted({*_punctuation(text, start, end), *_line_ends(text, start, end)})
    begin = start
    for cut in [*cuts, end]:
        while cut - begin > LONGEST:
            space = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
            stop = space if space > 0 else begin + LONGEST
            yield begin, stop
            begin = stop
        if cut > begin:
            yield begin, cut
            begin = cut


def _punctuation(text: str, start: int, end: int) -> Iterator[int]:
    marks = [mark for mark in _SPANNING if text.find(mark, start, end) >= 0]
    for match in _END.finditer(text, start, end):
        if marks and _is_quoted(text, start, end, match, marks):
            continue
        if match.group().startswith(_DOTS) and text[match.end() : match.end() + 2].strip()[:1].islower():
            continue
        if "`" in match.group() and _ends_a_name(text, start, match.start()):
            continue
        if not _ABBREVIATION.search(text, max(start, match.start() - SHORT), match.start() + 1):
            yield match.end()


def _is_quoted(text: str, start: int, end: int, match: re.Match[str], marks: list[str]) -> bool:
    """Whether the punctuation stands within code or a short quotation that goes on, or ends one in the middle of a sentence."""
    begin = max(start, match.start() - QUOTED, text.rfind("\n", max(start, match.start() - QUOTED), match.start()) + 1)
    for mark in marks:
        opens = text.rfind(mark, begin, match.start())
        if text.count(mark, begin, match.start()) % 2 == 0 or (opens > start and text[opens - 1].isalnum()):
            continue
        if mark in match.group():
            return text[match.end() : match.end() + 2].lstrip()[:1].islower()
        closing = text.find(mark, match.end(), min(end, match.end() + QUOTED))
        if closing >= 0 and text.find("\n", match.end(), closing) < 0:
            return True
    return False


def _ends_a_name(text: str, start: int, place: int) -> bool:
    """Whether the mark at `place` belongs to a name in backticks (`git add .`) and ends no sentence."""
    begin = max(start, place - LONGEST, text.rfind("\n", max(start, place - LONGEST), place) + 1)
    return text.count("`", begin, place) % 2 == 1 and not text[place - 1].isalpha()


def _line_ends(text: str, start: int, end: int) -> Iterator[int]:
    """A line end closes a sentence unless the line is long and the next one goes on in lower case."""
    previous = start
    for match in _BREAK.finditer(text, start, end):
        following = text[match.end()]
        wrapped = match.start() - previous >= 50 and (following.islower() or following in "(`'\"")
        if not wrapped:
            yield match.start()
        previous = match.end()


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


@cached
def plain(text: str) -> str:
    """A sentence for matching: emphasis and code marks removed, typographic quotes made plain, one line."""
    for mark, instead in _ASCII_PLAIN if text.isascii() else _PLAIN:
        text = text.replace(mark, instead)
    return " ".join(text.split())


@cached
def lowered(text: str) -> str:
    """The plain form in lower case."""
    return plain(text).lower()


_PLAIN = (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("`", ""), ("\u00a0", " "), ("**", ""), ("__", ""))
_ASCII_PLAIN = tuple((mark, instead) for mark, instead in _PLAIN if mark.isascii())
