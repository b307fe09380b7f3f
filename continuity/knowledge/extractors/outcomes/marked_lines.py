"""An edit as lines marked `-` and `+`, and shorter forms of it that keep the lines which decide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

READ = 48_000  # characters of each side of an edit
COMPARED = 60  # lines of each side that are held against one another; longer sides are told whole
AROUND = 1  # unchanged lines kept beside changed ones
LINE = 200
DEEP = 1000  # deeper than any line stands
COMMON, USUAL = 12, 36  # characters of a line that may stand in several places, and of lines that are alone with what is put beside them
ELIDED = "…"
KEY = "(a private key)"

_SEARCH = re.compile(r"^<{5,9} SEARCH")


def marked(old: str, new: str) -> list[str]:
    """The lines of a replacement: `-` and `+`, with one unchanged line on each side. Linear but for COMPARED lines."""
    before, after = old[:READ].splitlines(), new[:READ].splitlines()
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    a, b = before[head : len(before) - tail], after[head : len(after) - tail]
    lead, rest = before[max(0, head - AROUND) : head], before[len(before) - tail : len(before) - tail + AROUND] if tail else []
    if not a or not b:  # where several places are as true, the best one is looked for
        sign, told = ("+", b) if b else ("-", a)
        lines = [
            *(f" {line}" for line in before[:head]),
            *(f"{sign}{line}" for line in told),
            *(f" {line}" for line in before[len(before) - tail :]),
        ]
        return near(slid(lines)) if told else [*(f" {line}" for line in lead), *(f" {line}" for line in rest)]
    return [*(f" {line}" for line in lead), *_between(a, b), *(f" {line}" for line in rest)]


def _between(a: list[str], b: list[str]) -> list[str]:
    if not a or not b or len(a) > COMPARED or len(b) > COMPARED:
        return [*(f"-{line}" for line in a), *(f"+{line}" for line in b)]
    found: list[str] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            same = [f" {line}" for line in a[a1:a2]]
            found += same if len(same) <= 2 * AROUND + 1 else [*same[:AROUND], ELIDED, *same[-AROUND:]]
        else:
            found += [*(f"-{line}" for line in a[a1:a2]), *(f"+{line}" for line in b[b1:b2])]
    return found


def slid(lines: Sequence[str]) -> list[str]:
    """Marked lines whose runs begin where something begins: what was put in behind a block that ends alike may as well be told from the
    end of that block on, which says nothing. A run is moved over the unchanged lines beside it that it repeats."""
    found = list(lines)
    for begun, end in _runs(found):
        first = begun
        while first > 0 and found[first - 1][:1] == " " and found[first - 1][1:] == found[end - 1 - begun + first][1:]:
            first -= 1
        last = begun
        while last - begun + end < len(found) and found[last - begun + end][:1] == " " and found[last - begun + end][1:] == found[last][1:]:
            last += 1
        best = min(range(first, last + 1), key=lambda at: (_depth(found[at]), at != begun, -at))
        sign, size = found[begun][:1], end - begun
        for n in range(min(begun, best), max(end, best + size)):
            found[n] = (sign if best <= n < best + size else " ") + found[n][1:]
    return found


def _runs(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where lines that were only put in, or only taken out, begin and end."""
    runs, at = [], 0
    for sign, run in groupby(lines, key=lambda line: line[:1]):
        size = len(list(run))
        beside = {lines[n][:1] for n in (at - 1, at + size) if 0 <= n < len(lines)}
        if sign in ("+", "-") and not beside & {"+", "-"}:
            runs.append((at, at + size))
        at += size
    return runs


def _depth(line: str) -> tuple[int, bool]:
    """How deep a line stands, blank ones and those that close something deepest; less is a better beginning."""
    words = line[1:].strip()
    return (len(line[1:]) - len(line[1:].lstrip()) if words else DEEP, not words or words[0] in ")]}")


def of_patch(text: str) -> list[str]:
    """The marked lines of a unified diff's or an apply_patch text's hunks, or of blocks of search and replacement."""
    lines = text[: 2 * READ].splitlines()
    if any(_SEARCH.match(line) for line in lines):
        return _of_blocks(lines)
    hunks = [ELIDED if line.startswith("@@") else line for line in lines]
    return near([line for line in hunks if line[:1] in ("+", "-", " ", ELIDED) and not line.startswith(("+++ ", "--- "))])


def _of_blocks(lines: list[str]) -> list[str]:
    found: list[str] = []
    sides: dict[str, list[str]] = {"-": [], "+": []}
    side = ""
    for line in lines:
        if _SEARCH.match(line):
            side = "-"
        elif side == "-" and line.startswith("====="):
            side = "+"
        elif side and line.startswith(">>>>>"):
            found += [*([ELIDED] if found else ()), *marked("\n".join(sides["-"]), "\n".join(sides["+"]))]
            side, sides = "", {"-": [], "+": []}
        elif side:
            sides[side].append(line)
    return found


def of_hunks(patch: Any) -> tuple[list[str], int]:
    """The marked lines of a structured patch, and the line at which it begins."""
    found: list[str] = []
    begins = 0
    for hunk in patch if isinstance(patch, (list, tuple)) else ():
        lines = hunk.get("lines") if isinstance(hunk, Mapping) else None
        if not isinstance(lines, (list, tuple)):
            continue
        begins = begins or (hunk["newStart"] if isinstance(hunk.get("newStart"), int) else 0)
        found += ([ELIDED] if found else []) + slid([line for line in lines[:400] if isinstance(line, str)])
    return near(found), begins


def near(lines: list[str]) -> list[str]:
    """Without unchanged lines that stand apart from every change."""
    changed = [n for n, line in enumerate(lines) if line[:1] in ("+", "-")]
    kept = {near for n in changed for near in range(n - AROUND, n + AROUND + 1)}
    found: list[str] = []
    for n, line in enumerate(lines):
        if n in kept and line != ELIDED:
            found.append(line)
        elif found and found[-1] != ELIDED:
            found.append(ELIDED)
    return found[:-1] if found and found[-1] == ELIDED else found


def pieces(lines: Iterable[str]) -> Iterator[list[str]]:
    """The runs of marked lines that stand together in the file."""
    for is_marked, run in groupby(lines, key=lambda line: line[:1] in ("+", "-", " ", "")):
        if is_marked:
            yield list(run)


def put_in(lines: list[str], piece: list[str]) -> list[str]:
    """Marked lines with a change that a piece of a later edit makes within them; the same list where it makes none there,
    or may be made in several places."""
    places = [n for n, line in enumerate(lines) if line[:1] != "-"]
    stand = [lines[n][1:].strip() for n in places]
    least = COMMON
    while piece:
        old = [line[1:].strip() for line in piece if line[:1] != "+"]
        found = [n for n in range(len(stand) - len(old) + 1) if stand[n : n + len(old)] == old]
        if len(found) > 1 and not any(line[:1] == "-" for line in piece):
            return lines  # into which of several places like it, nobody knows
        at = next(iter(found), None)
        if at is not None and len("".join(old)) > (0 if any(line[:1] == "-" for line in piece) else least):
            own = iter(places[at : at + len(old)])
            put = [(line[:1], line if line[:1] == "+" else lines[next(own)]) for line in piece]
            return [*lines[: places[at]], *(line for sign, line in put if sign != "-"), *lines[places[at + len(old) - 1] + 1 :]]
        # Unchanged lines at its edges may stand elsewhere.
        shorter = piece[1:] if piece[0][:1] == " " else piece[:-1] if piece[-1][:1] == " " else []
        piece, least = shorter if any(line[:1] in ("-", " ") for line in shorter) else [], USUAL
    return lines


def added(text: str) -> list[str]:
    """The lines of a file that is written whole."""
    return [f"+{line}" for line in text[:READ].splitlines()]


def fitted(lines: Iterable[str], limit: int) -> str:
    """At most about `limit` characters: unchanged lines go first, then the inner lines of what was taken out, then those of what
    was put in, each with a mark."""
    short = [_cut(line) for line in without_keys(lines) if line.strip()]
    if _size(short) > limit:
        short = [line for line in short if line[:1] in ("+", "-")] or short
    for mark in ("-", "+"):
        if _size(short) > limit:
            others = _size([line for line in short if line[:1] != mark])
            short = _thinned(short, mark, max(limit - others, limit // 3))
    while _size(short) > limit and len(short) > 2:
        short = [*short[: len(short) // 2 - 1], ELIDED, *short[len(short) // 2 + 2 :]] if len(short) > 4 else short[:2]
    return "\n".join(short)[:limit]


def without_keys(lines: Iterable[str]) -> Iterator[str]:
    """The lines without private keys: one that is shortened could not be told as such."""
    inside = False
    for line in lines:
        if "PRIVATE KEY" in line and "-----" in line:
            if "BEGIN" in line and not inside:
                yield f"{line[:1]}{KEY}"
            inside = "END" not in line
        elif not inside:
            yield line


def _cut(line: str) -> str:
    return line if len(line) <= LINE else f"{line[: LINE - 1]}{ELIDED}"


def _size(lines: list[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _thinned(lines: list[str], mark: str, room: int) -> list[str]:
    """The lines with as many of those marked so as fit in `room`, from the beginning and the end."""
    places = [n for n, line in enumerate(lines) if line[:1] == mark]
    kept: set[int] = set()
    first, last = 0, len(places) - 1
    while first <= last:
        place = places[first] if len(kept) % 3 != 2 else places[last]  # two of three from the beginning
        room -= len(lines[place]) + 1
        if room < 0:
            break
        kept.add(place)
        first, last = (first + 1, last) if place == places[first] else (first, last - 1)
    found: list[str] = []
    for n, line in enumerate(lines):
        if line[:1] != mark or n in kept:
            found.append(line)
        elif not found or found[-1] != ELIDED:
            found.append(ELIDED)
    return found
