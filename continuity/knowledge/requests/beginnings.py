"""The beginning of a long answer as it was written: whole paragraphs, sentences and items, in their order and without gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from continuity.knowledge.requests.gist import is_filler
from continuity.knowledge.requests.outline import is_item, is_title, leads_in, title_rank
from continuity.knowledge.requests.points import ALSO, left_out_line
from continuity.knowledge.requests.whole_sentences import sentences_of

CODE = 0.5  # of the room is for a block of code at most
ITEMS = 6  # of a list that finds no room as a whole
_FENCES = ("```", "~~~")
_ANNOUNCES = re.compile(r"(?:now )?let me\b|(?:now )?let's\b|i'll\b", re.I)
_MARK = re.compile(r"^[-*+•]\s+")
_LEFT_OUT = re.compile(r"… (\d{1,4}) more$")
_RULE = re.compile(r"\s*(?:[-*_=]{3,}|\|[\s:|-]+\|)\s*")


@dataclass(slots=True)
class _Part:
    """Lines that stand together: a heading, words, the items of a list with what stands below each, the rows of a table, or code."""

    kind: str  # title, words, items, code
    lines: list[str]


def beginning_of(text: str, room: int) -> str:
    """What a text begins with, within about `room` characters: a list that finds no room as a whole by its first items and how many more
    there are. Code that finds none is left out with what leads in to it. Empty where not even a first sentence fits."""
    kept: list[str] = []
    pending: list[str] = []  # headings and words that lead in to what has not been told yet
    parted: dict[tuple[str, str], str] = {}  # lines whose last sentence leads in, by what stands before that and by it
    left = room
    for part in _parts(text):
        size = sum(len(line) + 1 for line in (*pending, *part.lines))
        if part.kind == "title":
            while pending and is_title(pending[-1].strip()) and title_rank(pending[-1].strip()) >= title_rank(part.lines[0].strip()):
                pending.pop()
            pending += part.lines
        elif part.kind == "words" and leads_in(part.lines[-1].strip()):
            *before, last = sentences_of(part.lines[-1])  # "It is safe. There are two layers:": the first says something by itself
            said = [*pending, " ".join(before)] if any(not is_filler(each) for each in before) else []
            size = sum(len(line) + 1 for line in said)
            pending = [line for line in pending if is_title(line.strip())] + part.lines
            if said and size <= left:
                kept += said
                parted[said[-1], last] = part.lines[-1]
                left, pending = left - size, [] if _ANNOUNCES.match(last) else [last]
        elif part.kind == "code" and size > min(left, room * CODE):
            pending = [line for line in pending if is_title(line.strip())]
        elif size <= left:
            kept += (*pending, *part.lines)
            left, pending = left - size, []
        else:
            some = _some(part, left - sum(len(line) + 1 for line in pending))
            kept += (*pending, *some) if some else ()
            break
    return "\n".join(_together(kept, parted))


def _together(lines: Sequence[str], parted: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """The lines, those that were parted as they were where both parts of them stand."""
    over = False
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        whole = parted.get((line, below))
        if not over:
            yield whole or line
        over = whole is not None and not over


def _some(part: _Part, room: int) -> list[str]:
    """As much of the words or of the items as fits; nothing of code."""
    if part.kind == "words":
        said: list[str] = []
        for each in sentences_of(part.lines[0]):
            if sum(map(len, said)) + len(said) + len(each) > room:
                break
            said.append(each)
        return [" ".join(said)] if said and not all(map(is_filler, said)) else []
    if part.kind != "items":
        return []
    shown: list[str] = []
    items = list(_items(part.lines))
    for place, item in enumerate(items):
        room -= sum(len(line) + 1 for line in item)
        if room < 0 or place == ITEMS:
            head = 2 if len(items) > 1 and _RULE.fullmatch("".join(items[1])) else 0  # rows of a table that say nothing alone
            names = [_MARK.sub("", each[0].strip()) for each in items[place:]]
            return [*shown, left_out_line(names, _count(items[place:]))] if place > head else []
        shown += item
    return shown


def _count(items: Sequence[Sequence[str]]) -> int:
    """How many items there are, with those that were left out before."""
    return sum(int(told[1]) if (told := _LEFT_OUT.search(item[0])) else item[0].count("; ") + 1 if ALSO in item[0] else 1 for item in items)


def _items(lines: Sequence[str]) -> Iterator[list[str]]:
    """The items of a list, each with the lines below it."""
    least = min(len(line) - len(line.lstrip()) for line in lines[:1])
    item: list[str] = []
    for line in lines:
        begins = (is_item(line.strip()) or line.lstrip().startswith("|")) and len(line) - len(line.lstrip()) <= least
        if begins and item:
            yield item
            item = []
        item.append(line)
    if item:
        yield item


def _parts(text: str) -> Iterator[_Part]:
    part: _Part | None = None
    fence = False
    for line in text.split("\n"):
        words = line.strip()
        if fence and part is not None:
            part.lines.append(line)
            if words.startswith(_FENCES):
                fence = False
                yield part
                part = None
            continue
        if not words:
            continue
        listed = is_item(words) or words.startswith("|")
        if words.startswith(_FENCES) and not line.startswith((" ", "\t")):
            if part is not None:
                yield part
            part, fence = _Part("code", [line]), True
        elif part is not None and part.kind == "items" and (line.startswith((" ", "\t")) or (listed and not is_title(words))):
            part.lines.append(line)
        else:
            if part is not None:
                yield part
            part = None
            if is_title(words):
                yield _Part("title", [line])
            elif listed:
                part = _Part("items", [line])
            elif not _RULE.fullmatch(line):
                yield _Part("words", [line])
    if part is not None and not fence:
        yield part
