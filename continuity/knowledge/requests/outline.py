"""A long answer as an outline: each of its parts in one line, with as much of each as the room allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from continuity.knowledge.directive_parser.grammar import CLIP

LEAST = 90  # characters of a part, below which fewer parts are told
LEAST_SAID = 4  # characters of a sentence; fewer are a number before it
LEAST_LINE = 60  # of a line within a part
FIRST, LAST = 2, 1  # of three parts that are kept, two are the first ones
CODE = 2  # lines of code that may stand in an outline: a command to run, a name
PICTURE = 16  # lines of a drawing or a form of words that may stand in one, the last of them, in its share of the room
OF_ROOM = 0.45

LEFT_OUT = "\v"  # an empty line where code stood
LED_IN = 8  # the rank of words that lead in to what stands below

_HEADING = re.compile(r"#{1,6}\s+")
_TITLE = re.compile(r"(?:\d{1,2}[.)]\s+)?\*\*[^*]{1,100}\*\*:?")
_ITEM = re.compile(r"(?:[-*+•✅❌⚠✓✔✗✘☑→]\ufe0f?|\d{1,3}[.)])\s+")
_BULLET = re.compile(r"^[-*+•]\s+(?:\[[ x]\]\s+)?")
_FIGURE = re.compile(r"[*~<>≈≤≥+-]*\d[\d.,:/]*\s?[\w%µ]{0,4}\**")
_TABLE_RULE = re.compile(r"\|?[\s:|-]+\|?")
_WORDS = frozenset(("", "text", "txt", "plain", "plaintext", "markdown", "md"))  # how a block is called that is no program
_STOP = re.compile(r"(?:(?<!\d)\.|[!?;])(?= )")  # a number before a full stop counts an item
_FENCES = ("```", "~~~")


@dataclass(slots=True)
class OutlinePart:
    """A heading or words that lead in, and what stands below; a paragraph of its own has no title. `picture` holds what was drawn there,
    `under` the heading above a paragraph that code parts from it, `within` the marked heading of the section that a part belongs to."""

    title: str = ""
    lines: list[str] = field(default_factory=list)
    picture: str = ""
    under: str = ""
    within: str = ""
    says: bool = False  # its title is a heading, and no words that only lead in


def outline(lines: Sequence[str], limit: int) -> str:
    """The parts of the words in at most about `limit` characters, a line each; empty where they have no parts to tell by.
    Linear in the words."""
    found = parts_of(lines)
    drawn = next((part for part in reversed(found) if 0 < len(part.picture) <= OF_ROOM * limit), None)
    parts = [part for part in map(_telling, found) if part.lines or part is drawn]
    if len(parts) < 2 or not any(part.title and (part.lines or part is drawn) for part in parts):
        return ""
    limit -= len(drawn.picture) if drawn else 0
    fit = max(2, limit // LEAST)
    if len(parts) > fit:
        first = max(1, fit * FIRST // (FIRST + LAST))
        last = len(parts) - (fit - first)
        middle = [each for each in parts[first:last] if each is drawn] or [OutlinePart(lines=[CLIP])]
        parts = [*parts[:first], *middle, *parts[last:]]
    rooms = shared([len(_told(part, 10 * limit)) for part in parts], limit)
    said = [(_told(part, room), part.picture if part is drawn else "") for part, room in zip(parts, rooms, strict=True)]
    return "\n".join(line for each in said for line in each if line)


def shared(wanted: Sequence[int], room: int) -> list[int]:
    """What each gets of a room: all that it wants where that is less than an equal share, else an equal share of what is left."""
    rooms = [0] * len(wanted)
    left = len(wanted)
    for place in sorted(range(len(wanted)), key=lambda place: wanted[place]):
        rooms[place] = min(wanted[place], room // left)
        room, left = room - rooms[place], left - 1
    return rooms


def parts_of(lines: Sequence[str]) -> list[OutlinePart]:
    """The words cut before each heading, each title in bold, and each line that leads in; a paragraph under no title is a part."""
    parts: list[OutlinePart] = []
    heading, section, parted = "", "", False
    for line in readable(lines):
        words = line.strip()
        if not words or "\n" in line:  # Code stood here: what follows does not belong to what led in to it.
            if "\n" in line:
                parts = parts or [OutlinePart()]
                parts[-1].picture = line
            parts.append(OutlinePart())
            parted = True
            continue
        item, title = is_item(words), is_title(words)
        if title:
            heading, parted = plain_title(words), False
            section = heading if _HEADING.match(words) else section
        if title or (not item and leads_in(words) and not line.startswith((" ", "\t"))):
            within = "" if _HEADING.match(words) else section
            parts.append(OutlinePart(plain_title(words), within=within, says=title and not leads_in(words)))
        elif parts and parts[-1].title and (item or not parts[-1].lines or line.startswith((" ", "\t"))):
            parts[-1].lines.append(_BULLET.sub("", words))
        elif item and parts and not parts[-1].title and len(parts[-1].lines) == 1 and not _ITEM.match(parts[-1].lines[0]):
            parts[-1] = OutlinePart(parts[-1].lines[0], [_BULLET.sub("", words)])
        else:
            parts.append(OutlinePart(lines=[words], under=heading if parted else ""))
    return parts


def _telling(part: OutlinePart) -> OutlinePart:
    """A part below whose title nothing stands tells what was said before words that lead in: "It fails. The log:" is "It fails."."""
    stop = part.title.rfind(". ") + 1 if not (part.lines or part.picture) else 0
    return OutlinePart(lines=[part.title[:stop]]) if stop > LEAST_SAID else part


def readable(lines: Sequence[str], *, row_mark: str = "  ") -> list[str]:
    """The lines without long code, of which an empty line is left; a drawing as one text; a table's rows as words behind `row_mark`,
    without its head."""
    kept: list[str] = []
    code: list[str] | None = None
    language, in_table = "", False
    head: list[str] = []
    row: list[str] = []
    for line in lines:
        words = line.strip()
        if words.startswith(_FENCES):
            if code is None:
                code, language = [], words.lstrip("`~")
                continue
            drawn = language in _WORDS and CODE < len(code) <= PICTURE
            kept += ["\n".join(code)] if drawn else [f"  `{each.strip()}`" for each in code] if len(code) <= CODE else [LEFT_OUT]
            code = None
        elif code is not None:
            code.append(line)
        elif words.startswith("|"):
            cells = [cell.strip() for cell in words.strip("|").split("|")]
            if _TABLE_RULE.fullmatch(words):
                kept = kept[:-1] if in_table else kept  # The line before it is the table's head.
                head = row if in_table else []
            else:
                kept.append(f"{row_mark}{_row(cells, head)}")
            row = cells
            in_table = True
            continue
        else:
            kept.append(line)
        in_table, head = False, []
    return kept


def _row(cells: Sequence[str], head: Sequence[str]) -> str:
    """A row of a table in words: its cells, a figure behind the name of its column."""
    names = head if len(head) == len(cells) else [""] * len(cells)
    told = [
        f"{name} {cell}" if name and place and _FIGURE.fullmatch(cell) else cell
        for place, (cell, name) in enumerate(zip(cells, names, strict=True))
    ]
    first, *rest = [cell for cell in told if cell] or [""]
    return f"{first}: {', '.join(rest)}" if rest else first


def is_item(words: str) -> bool:
    """Whether a line is an item of a list."""
    return _ITEM.match(words) is not None


def is_title(words: str) -> bool:
    """Whether a line is a heading, or nothing but words in bold."""
    return _HEADING.match(words) is not None or _TITLE.fullmatch(words) is not None


def title_rank(words: str) -> int:
    """1 to 6 for a marked heading, 7 for words in bold, LED_IN for words that only lead in."""
    marks = len(words) - len(words.lstrip("#"))
    return min(marks, 6) if marks else LED_IN - 1 if is_title(words) else LED_IN


def plain_title(title: str) -> str:
    """A heading without its marks."""
    return _HEADING.sub("", title).replace("**", "").strip().rstrip(":").strip()


def leads_in(words: str) -> bool:
    """Whether words lead in to what stands below them."""
    return words.rstrip("*_ ").endswith(":")


def _told(part: OutlinePart, room: int) -> str:
    """The part in one line of about `room` characters: its title, and what fits of each line below."""
    if not part.title or not part.lines:
        return cut(part.title or part.lines[0], room) if part.title or part.lines else ""
    if len(whole := f"{part.title}{between(part.title)}{_joined(part.lines)}") <= room:
        return whole
    below = max(room - len(part.title) - 2, 0)
    if below < LEAST_LINE:
        return cut(part.title, room)
    lines = part.lines[: max(1, below // LEAST_LINE)]
    rooms = shared([len(line) + 2 for line in lines], below)
    short = [cut(line, each - 2) for line, each in zip(lines, rooms, strict=True)]
    uncut = [line for line in short if not line.endswith(CLIP)] or short[:1]
    more = f" {CLIP}" if len(uncut) < len(part.lines) and not uncut[-1].endswith(CLIP) else ""
    return f"{part.title}{between(part.title)}{_joined(uncut)}{more}"


def between(title: str) -> str:
    """What stands between words that lead in and what they lead to."""
    return " " if title.endswith((".", "!", "?")) else ": "


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line} " if line.endswith((".", "!", "?", ";", ":")) else f"{line}; " for line in lines).rstrip(" ;")


def cut(line: str, limit: int) -> str:
    """The line's whole sentences that fit, else it without its last aside (after a dash, in brackets), else its beginning to a word's
    end and a mark."""
    if len(line) <= limit:
        return line
    stop = max((found.end() for found in _STOP.finditer(line, 0, limit)), default=0)
    if stop > limit // 2:
        return line[:stop]
    begins = (" - ", " – ", " — ", " (") if line.rstrip(" .:;*").endswith(")") else (" - ", " – ", " — ")
    aside = max(line.rfind(begin, 0, limit) for begin in begins)
    if aside >= limit // 2 and line.count("`", 0, aside) % 2 == 0:
        return line[:aside].rstrip(" ,;:")
    words = line[: max(limit - len(CLIP) - 1, 1)]
    return f"{words[: words.rfind(' ')] if ' ' in words[len(words) // 2 :] else words} {CLIP}"
