"""A text as units that can be told by themselves: sentences, and lists, tables and blocks of code as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from continuity.knowledge.language.blocks import Block, BlockKind, blocks
from continuity.knowledge.language.sentences import spans

WHOLE = 500  # characters up to which a list, a table or a block of code is one unit; longer lists and tables go by their lines
ITEM = 400  # of an item or row; a longer one goes by its sentences
JOINED = 600  # of a lead-in with what it leads to
STRETCH = 300  # of lines that a tool printed
SHORTEST = 12
_IN_RUNS = (BlockKind.CODE, BlockKind.ROW, BlockKind.ITEM, BlockKind.QUOTE)
_COLONS = (":", "：", ":**", "：**")


class Span(NamedTuple):
    start: int
    end: int


def units_in(text: str) -> list[Span]:
    """The units of a text in order, each exactly `text[start:end]`. What leads on to something stands with it, or is left out."""
    return [span for span in _with_lead_ins(text, _plain(text)) if span.end - span.start >= SHORTEST]


def _plain(text: str) -> Iterator[Span]:
    for run in _runs(text):
        first, last = run[0], run[-1]
        if first.kind is BlockKind.HEADING:
            continue
        if first.kind is BlockKind.PROSE:
            for start, end in spans(text, first.start, first.end):
                yield _trimmed(text, start, end)
            continue
        begin = text.rfind("\n", 0, first.start) + 1
        if last.end - begin <= WHOLE:
            yield _trimmed(text, begin, last.end)
        elif first.kind in (BlockKind.ITEM, BlockKind.ROW):
            for block in run:
                yield from _lines(text, block)


def _lines(text: str, block: Block) -> Iterator[Span]:
    """An item or row by itself; a long one by its sentences."""
    if block.end - block.start <= ITEM:
        yield _trimmed(text, block.start, block.end)
        return
    for start, end in spans(text, block.start, block.end):
        yield _trimmed(text, start, end)


def _runs(text: str) -> Iterator[list[Block]]:
    """Blocks of one kind that follow each other line by line, together."""
    run: list[Block] = []
    for block in blocks(text):
        if run and block.kind is run[-1].kind and block.kind in _IN_RUNS and text.count("\n", run[-1].end, block.start) <= 1:
            run.append(block)
            continue
        if run:
            yield run
        run = [block]
    if run:
        yield run


def _with_lead_ins(text: str, found: Iterator[Span]) -> Iterator[Span]:
    lead: Span | None = None
    for span in found:
        if span.end <= span.start:
            continue
        if lead is not None and span.end - lead.start <= JOINED and _adjoins(text, lead.end, span.start):
            span = Span(lead.start, span.end)
        lead = None
        if text.endswith(_COLONS, span.start, span.end):
            lead = span
        else:
            yield span


def _adjoins(text: str, end: int, start: int) -> bool:
    """Whether only a little lies between: line ends, a marker."""
    return start - end <= 8 or not text[end:start].strip()


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def stretches_in(text: str) -> list[Span]:
    """Runs of whole lines of at most STRETCH characters; a line that is longer is left out."""
    found: list[Span] = []
    start = place = 0
    for line in text.splitlines(keepends=True):
        end = place + len(line)
        if end - start > STRETCH or not line.strip():
            found.append(_trimmed(text, start, place))
            start = place
        place = end
    found.append(_trimmed(text, start, place))
    return [span for span in found if SHORTEST <= span.end - span.start <= STRETCH]
