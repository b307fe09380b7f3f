"""The units that a sketch of changed code is made of: a definition with the words about it, or lines that were changed together. Each
is told whole, in a shorter form that stands by itself, or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import groupby
from typing import NamedTuple

from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED, pieces
from continuity.knowledge.extractors.tools.symbols import defined
from continuity.knowledge.state.fold_cache import cached

Unit = list[str]


class UnitRoom(NamedTuple):
    """Lines and characters of a unit that is told whole."""

    lines: int
    characters: int


USUAL, LONGER = UnitRoom(20, 900), UnitRoom(32, 1400)
PARTS = 3  # of a longer one
WORDS, MOST_WORDS = 2, 4  # lines of words about a definition, and where their sentence ends in a later one
TAKEN_OUT = "Taken out: "  # before a name; nothing came in its place
SHORTER = 5  # steps in which a unit grows shorter

# What a reader wants to see the members of, and what is long because of the functions in it.
_TYPE = re.compile(r"^\s*(?:\w+ ){0,3}(?:struct|interface|enum|record|message|type|CREATE TABLE)\b|\b(?:struct|interface) \{\s*$", re.I)
_HOLDER = re.compile(r"^\s*(?:\w+ ){0,4}(?:class|trait|module|object|protocol|interface)\b")
# A function within a class, of languages that have no word for it.
_METHOD = re.compile(
    r"^\s{1,12}(?!(?:if|for|while|switch|catch|return|else|do|with|match|new|await)\b)(?:(?:(?:public|private|protected|static|async"
    r"|override|abstract|get|set) ){1,4}\*?(?P<name>#?\w{3,60})\((?![^)]*\)[;,])|(?P<plain>\w{3,60})\([^()]*\)(?:: [^{;=]{1,80})? \{$)"
)
_COMMENT = re.compile(r"^\s*(?://|#(?!include|define|\[)|/?\*|--\s|<!--|\"\"\"|''')")
_ATTRIBUTE = re.compile(r"^\s*(?:@\w|#\[)")
MORE = re.compile(rf" {ELIDED} and \d+ more lines$")
_DOCSTRING = re.compile(r"^\s*(?:\"\"\"|''')\s*\w")
CLOSES = re.compile(r"^\s*(?:[)\]}]|end\b)")
_TRIVIAL = re.compile(
    r"^[^\w]*$|^[<>|]{7} |^\s*\}|^\s*(?:export )?(?:const|var|let|type)\s*\($|^\s*\w+,?$|^\s*return;?$"
    r"|^\W*(?:try|catch|finally|else|do|then|fi|done|end)\W*$"
)
_IMPORT = re.compile(
    r"^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub )?use\s+[\w:]+|package\s|#include\b|\"[\w./@-]+\",?$|\} from )|^[<>|]{7} "
)


def units_of(lines: Sequence[str], room: UnitRoom = USUAL) -> list[Unit]:
    """The units of an edit's marked lines, as they stand in the file, and the names of what was taken out."""
    out, came = ({line[1:].strip() for line in lines if line[:1] == sign} for sign in "-+")
    moved = out & came  # it stands where it stood, or nearly so
    found = [unit for piece in pieces(lines) for unit in _of_piece(piece, moved, room)]
    return [*found, *([f"{TAKEN_OUT}{name}"] for name in taken_out(lines))]


def names_of(unit: Unit) -> tuple[str, ...]:
    """What a unit defines; empty for one of changed lines."""
    head = _head(unit)
    line = unit[head] if head < len(unit) else ""
    return _names(line) if line[:1] == "+" else ()


def words_of(line: str) -> str:
    """The words of a unit's line as the file has them."""
    return line[1:].partition(f" {ELIDED}")[0].strip()


def signature(unit: Unit) -> Unit:
    """A definition by its head alone: the words about it, and what a call has to know. Of a type, which is nothing without its members,
    the first line and how many follow."""
    head = _head(unit)
    if _TYPE.search(unit[head][1:]):
        return [*unit[:head], *_begun(unit[head:])]
    end = _end_of_signature(unit, head)
    return [*unit[:end], *(line for line in unit[end : end + 1] if _DOCSTRING.match(line[1:]))]


def shorter(unit: Unit, step: int) -> Unit:
    """A unit without what tells least: first what is told by its beginning or is gone, then bodies, changed lines, words, at last all."""
    names = names_of(unit)
    if step == 0:
        return [] if not names and (MORE.search(unit[0]) or all(line[:1] == "-" for line in unit)) else unit
    if step == 1:
        return signature(unit) if names and not _TYPE.search(unit[_head(unit)][1:]) else unit
    if step == 2:
        return unit if names or unit[0].startswith(TAKEN_OUT) else []
    return [line for line in unit if not _COMMENT.match(line[1:])] if step == 3 and names else []


def tells(line: str, moved: Set[str] = frozenset()) -> bool:
    """Whether a changed line says what is new; a comment, an import or a bracket does not by itself."""
    words = line[1:]
    return _is_changed(line) and not (
        words.strip() in moved or _COMMENT.match(words) or _IMPORT.match(words) or (_TRIVIAL.match(words) and not _names(line))
    )


def fits(unit: Unit, room: UnitRoom = USUAL) -> bool:
    return len(unit) <= room.lines and sum(map(len, unit)) <= room.characters


def taken_out(lines: Sequence[str]) -> list[str]:
    """The names that an edit takes out with nothing in their place."""
    came = set(defined("\n".join(line[1:] for line in lines if line[:1] == "+")))
    runs = [list(run) for changed, run in groupby(lines, key=_is_changed) if changed]
    out = [line[1:] for run in runs if all(line[:1] == "-" for line in run) for line in run]
    return [name for name in defined("\n".join(out)) if name not in came]


def _is_changed(line: str) -> bool:
    return line[:1] in ("+", "-")


@cached
def _names(line: str) -> tuple[str, ...]:
    method = _METHOD.match(line[1:])
    return defined(line[1:]) or ((method["name"] or method["plain"],) if method else ())


def _is_about(line: str) -> bool:
    return bool(_COMMENT.match(line[1:]) or _ATTRIBUTE.match(line[1:]))


def _head(unit: Unit) -> int:
    """Where the first line stands that is neither about the definition nor gone."""
    return next((n for n, line in enumerate(unit) if not (line[:1] == "-" or _is_about(line))), len(unit))


def _of_piece(lines: Sequence[str], moved: Set[str], room: UnitRoom) -> list[Unit]:
    found: list[Unit] = []
    at = begun = 0
    while at < len(lines):
        if not (lines[at][:1] == "+" and _names(lines[at]) and lines[at][1:].strip() not in moved):
            at += 1
            continue
        first = at
        while first > begun and lines[first - 1][:1] == "+" and _is_about(lines[first - 1]):
            first -= 1
        old = first
        while old > begun and lines[old - 1][:1] == "-":
            old -= 1
        found += _changed(lines[begun:old], moved, room)
        unit, begun = _definition(lines, first, at, room)
        if len(unit) == 1 and first - old == 1:
            unit = [lines[old], *unit]
        found.append(unit)
        if begun > at + 1 and _HOLDER.match(lines[at][1:]) and not fits([line for line in lines[at:begun] if line[:1] != "-"], room):
            found += [each for each in _of_piece(lines[at + 1 : begun], moved, room) if names_of(each)]
        at = begun
    return found + _changed(lines[begun:], moved, room)


def _definition(lines: Sequence[str], first: int, at: int, room: UnitRoom) -> tuple[Unit, int]:
    """The definition that begins at a line, and where what follows it begins: whole if it is short, else what it is called with."""
    end, depth = _end_of_signature(lines, at), _indent(lines[at])
    after = end
    while after < len(lines) and (lines[after][:1] == "-" or not lines[after][1:].strip() or _indent(lines[after]) > depth):
        after += 1
    closed = after < len(lines) and lines[after][:1] != "-" and _indent(lines[after]) == depth and bool(CLOSES.match(lines[after][1:]))
    after += closed
    about, told = _words_about(lines[first:at]), [line for line in lines[at:after] if line[:1] != "-"]
    if not closed and told[0].rstrip().endswith("{") and len(told) > 1:
        told.append(f" {ELIDED}")  # what is not seen of it
    is_new = all(line[:1] == "+" for line in told[: len(told) - closed])
    while not told[-1][1:].strip() or (told[-1][:1] == " " and not CLOSES.match(told[-1][1:])):
        told.pop()
    for unit in ([*about, *told], [*about, *(line for line in told if not _COMMENT.match(line[1:]))]):
        if fits(unit, room) and (unit[len(about) :] == told or _TYPE.search(lines[at][1:])):
            return unit, after
    return signature([*about, *told]), after if is_new else end


def _end_of_signature(lines: Sequence[str], at: int) -> int:
    end = min(at + 1, len(lines))
    if not _TYPE.search(lines[at][1:]):
        while end < min(len(lines), at + USUAL.lines) and lines[end][:1] == lines[at][:1] and _is_open(lines[at:end]) > 0:
            end += 1
    return end


def _is_open(lines: Sequence[str], pair: str = "()") -> int:
    """How many brackets are open behind lines; negative where they end more than they begin."""
    words = "".join(line for line in lines if line[:1] != "-")
    return words.count(pair[0]) - words.count(pair[1])


def _indent(line: str) -> int:
    return len(line[1:]) - len(line[1:].lstrip())


def _words_about(above: Sequence[str]) -> list[str]:
    """The first lines of a comment, up to where a sentence ends."""
    about = [line for line in above if any(map(str.isalnum, line)) and "nolint" not in line]
    for count in range(min(WORDS, len(about)), min(MOST_WORDS, len(about)) + 1):
        if about[:count] and about[count - 1].rstrip(' */"').endswith((".", "!", "?", ":")):
            return about[:count]
    return about[:WORDS]


def _changed(lines: Sequence[str], moved: Set[str], room: UnitRoom) -> list[Unit]:
    """Lines that were changed together and define nothing: as they stand now, in one unit if that is short."""
    kept = [line for line in new_state(lines) if not _IMPORT.match(line[1:])]
    places = [n for n, line in enumerate(kept) if _is_changed(line) and line[1:].strip()]
    if not places or not any(tells(line, moved) for line in lines):
        return []
    while len(places) > 1 and any(map(tells, kept)) and _COMMENT.match(kept[places[-1]][1:]):
        places.pop()  # about what follows
    first = places[0]
    unit = _closed(kept, first - (first > 0 and kept[first - 1][:1] == " " and bool(_names(kept[first - 1]))), places[-1] + 1)
    if fits(unit, room):
        return [unit]
    nexts = [*places[1:], len(kept)]
    ends = [n + 1 for n, after in zip(places, nexts, strict=True) if n == places[-1] or not all(map(_is_changed, kept[n + 1 : after]))]
    runs = [part for begun, end in zip([first, *ends], ends, strict=False) for part in _paragraphs(kept, begun, end, room)]
    return [part if fits(part, room) else _begun(part) for part in runs if any(tells(line, moved) for line in part)]


def _paragraphs(kept: Sequence[str], begun: int, end: int, room: UnitRoom) -> list[Unit]:
    """The lines that were changed in one place, or the parts that blank lines set off where that is long and they are few; a blank line
    within a statement sets off none."""
    while not _is_changed(kept[begun]):
        begun += 1
    run = _closed(kept, begun, end)
    least = min((_indent(line) for line in run if line[1:].strip()), default=0)
    parts: list[Unit] = [[]]
    for n, line in enumerate(run):
        if line[1:].strip():
            parts[-1].append(line)
        elif parts[-1] and _indent(run[n + 1]) <= least:
            parts.append([])
    return [run] if fits(run, room) or len(parts) > PARTS else parts


def _closed(lines: Sequence[str], begun: int, end: int) -> Unit:
    """Lines from one place to another, and the unchanged ones behind them that end what they begin; no end of something before them."""
    while end < len(lines) and lines[end][:1] == " " and _is_open(lines[begun:end], "{}") > 0:
        end += 1
    while end - begun > 1 and (
        not lines[end - 1][1:].strip() or (CLOSES.match(lines[end - 1][1:]) and _is_open(lines[begun:end], "{}") < 0)
    ):
        end -= 1
    return list(lines[begun:end])


def new_state(lines: Sequence[str]) -> list[str]:
    """Marked lines without those that others took the place of, and without several that were taken out together: the old line only tells
    something where the change itself is one line."""
    found: list[str] = []
    for changed, run in groupby(lines, key=_is_changed):
        told = list(run)
        out, came = ([line for line in told if line[:1] == sign and line[1:].strip()] for sign in "-+")
        is_line = len(out) <= 1 and len(came) <= 1 and all(map(tells, out))
        found += told if not changed or is_line else [line for line in told if line[:1] == "+"]
    return found


def _begun(unit: Sequence[str]) -> Unit:
    """The first line of a unit that is too long, and how many there are."""
    first = next((line for line in unit if any(map(str.isalnum, line))), unit[0])
    return [first if len(unit) == 1 or MORE.search(first) else f"{first} {ELIDED} and {len(unit) - 1} more lines"]
