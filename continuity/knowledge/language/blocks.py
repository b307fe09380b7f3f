"""The line structure of chat markdown: paragraphs, list items, headings, table rows, code and quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

HEAD = 200  # characters of a line that decide what it is

_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(?=\S)")
_ITEM = re.compile(  # "aa" and "bb" come after "z", and there are Roman numerals
    r"[ \t]*(?:[-*+•–]|(?P<mark>\d{1,3}|[a-zA-Z]|(?P<twice>[a-zA-Z])(?P=twice)|[ivx]{2,5}|[IVX]{2,5})[.)])"
    r"[ \t]+(?:\[(?P<box>[ xX✓~-])\][ \t]+)?(?=\S)"
)
_BOLD_LINE = re.compile(r"[ \t]*\*\*[^*\n]{1,100}\*\*:?[ \t]*$")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_RULE = re.compile(r"[ \t|:=*_-]+$")
_QUOTE = re.compile(r"[ \t]*>")
_TAG = re.compile(r"[ \t]*</?[a-zA-Z][\w:-]*[^<>\n]*>[ \t]*$")
_RAW = re.compile(
    r"[ \t]*(?:[\[{]\s*[\"{\[]|[❯➜⏺⎿]|\$ \S|\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d|at \S+ ?"
    r"\(|Traceback \(|File \"|\[\w+\] \S|(?:error|hint|warning|fatal|remote|npm ERR!)[:!] )"
)  # pasted data, terminal lines, logs, stack traces
_INDENT = re.compile(r"(?:[ ]{4}|\t)")


class BlockKind(StrEnum):
    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"
    QUOTE = "quote"


@dataclass(slots=True)  # not frozen: one is made for nearly each line
class Block:
    """A run of lines of one kind; `start` stands behind the marker of an item, heading or row."""

    kind: BlockKind
    start: int
    end: int
    under: str = ""
    marker: str = ""


class _Leads:
    """The heading, lead-in paragraph and parent item that stand above a line."""

    def __init__(self) -> None:
        self.heading = ""
        self.lead = ""
        self.parent = ""
        self.parent_indent = -1

    def under(self) -> str:
        return self.parent or self.lead or self.heading

    def at_heading(self, words: str) -> None:
        self.heading, self.lead, self.parent = words, "", ""

    def at_item(self, indent: int) -> None:
        if indent <= self.parent_indent:
            self.parent = ""

    def closed(self, block: Block, words: str, indent: int) -> None:
        if block.kind is BlockKind.PROSE:
            self.lead, self.parent = words, ""
        elif words and block.kind is BlockKind.ITEM:
            self.parent, self.parent_indent = words, indent


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a text in order, each line in at most one; blank lines, rules and markup lines in none."""
    leads = _Leads()
    fence = ""
    current: Block | None = None
    indent = 0
    pasted = False  # terminal output goes on to the next blank line
    for start, stop in _lines(text):
        line = text[start : min(stop, start + HEAD)]
        kind, body, mark = (BlockKind.CODE, start, "") if fence else _classify(line, start, current)
        if fenced := _FENCE.match(line):
            kind, fence = BlockKind.CODE, _next_fence(fence, fenced.group(1))
        if kind is None:
            pasted = False
        elif kind is BlockKind.CODE:
            pasted = pasted or _RAW.match(line) is not None
        elif pasted:
            kind = BlockKind.CODE
        if current and kind is BlockKind.PROSE:
            current.end = stop
            continue
        if current:
            yield current
            leads.closed(current, _lead(text, current.start, current.end), indent)
            current = None
        if kind is None:
            continue
        if kind is BlockKind.ITEM:
            indent = len(line) - len(line.lstrip())
            leads.at_item(indent)
        under = "" if kind is BlockKind.HEADING else leads.heading if kind is BlockKind.PROSE else leads.under()
        block = Block(kind, body, stop, under, mark)
        if kind is BlockKind.PROSE or kind is BlockKind.ITEM:
            current = block
            continue
        if kind is BlockKind.HEADING:
            leads.at_heading(text[body : min(stop, body + 120)].strip(" *#:\t").lower())
        yield block
    if current:
        yield current


def _next_fence(fence: str, marks: str) -> str:
    """The fence that is open behind a line of fence marks: a closing one is at least as long as its opening one."""
    if not fence:
        return marks
    return "" if marks[0] == fence[0] and len(marks) >= len(fence) else fence


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _classify(line: str, start: int, before: Block | None) -> tuple[BlockKind | None, int, str]:
    """Kind of a line, where its words begin, and its marker; None for a line that holds no words."""
    if not line.strip() or _RULE.fullmatch(line) or _TAG.fullmatch(line):
        return None, start, ""
    if match := _HEADING.match(line):
        return BlockKind.HEADING, start + match.end(), ""
    if _RAW.match(line):
        return BlockKind.CODE, start, ""
    if match := _ITEM.match(line):
        return BlockKind.ITEM, start + match.end(), match["box"] or match["mark"] or "-"
    if _BOLD_LINE.fullmatch(line):
        return BlockKind.HEADING, start, ""
    if _QUOTE.match(line):
        return BlockKind.QUOTE, start, ""
    if _ROW.fullmatch(line):
        return BlockKind.ROW, start, ""
    if _INDENT.match(line) and before is None:
        return BlockKind.CODE, start, ""
    return BlockKind.PROSE, start, ""


def _lead(text: str, begin: int, end: int) -> str:
    """The paragraph as the lead-in of a list that follows it, or nothing: it ends with a colon and is short."""
    last = text[max(begin, end - 120) : end].rsplit("\n", 1)[-1].strip()
    return last.strip(" *:").lower() if last.endswith((":", ":**")) else ""
