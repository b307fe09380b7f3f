"""Changing a JSON text in place: what is not changed keeps its own spaces, line ends, order and comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
# A string, which may hold what looks like the others; a comment to the line's end; one over lines; a comma before a closing bracket.
_PIECES = re.compile(r'"(?:[^"\\]|\\.)*+"|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/')
_TRAILING = re.compile(r'"(?:[^"\\]|\\.)*+"|,(?=[ \t\r\n]*+[}\]])')
_SPACES = re.compile(r"[^\r\n]")
# A comment with the spaces before it.
_LINES = re.compile(r"[ \t\r\n]*+(?://[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object (with its `key`) or an element of a list: `start` is where it begins, with its key; `at` to `end` is its
    value."""

    key: str
    start: int
    at: int
    end: int
    value: Any


@lru_cache(maxsize=4)
def plain(text: str) -> str:
    """The text, as long as it is, with spaces for its comments and for commas that nothing follows: tools read them, `json` does not."""
    without = _PIECES.sub(lambda found: found[0] if found[0][0] == '"' else _SPACES.sub(" ", found[0]), text)
    return _TRAILING.sub(lambda found: found[0] if found[0] != "," else " ", without)


def items(text: str, at: int) -> list[JsonMember]:
    """The members or elements of the object or list that begins at `at` of a valid JSON text, which may have comments."""
    return list(_items(plain(text), at))


def member(text: str, at: int, key: str) -> JsonMember | None:
    """The member of that name: the last one, as JSON's readers take it."""
    return next((item for item in reversed(items(text, at)) if item.key == key), None)


def _items(text: str, at: int) -> Iterator[JsonMember]:
    is_object = text[at] == "{"
    place = _skip(text, at + 1)
    while text[place] not in "}]":
        start, key = place, ""
        if is_object:
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        value, end = _DECODER.raw_decode(text, place)
        yield JsonMember(key, start, place, end, value)
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)


def add(text: str, at: int, value: Any, key: str = "") -> str:
    """The text with a further member or element at the end of the object or list that begins at `at`, spaced as the others are."""
    there = items(text, at)
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_of_line(text, at)
    if newline not in (text[at : there[0].start] if there else text):
        before, after, written = ", " if there else "", "", json.dumps(value, ensure_ascii=False)
    else:
        inner = text[at + 1 : there[0].start].rpartition(newline)[2] if there else outer + _step(text)
        before = f",{newline}{inner}" if there else f"{newline}{inner}"
        after = "" if there else f"{newline}{outer}"
        written = _indented(value, inner, _step(text), newline)
    named = f"{json.dumps(key, ensure_ascii=False)}: {written}" if key else written
    # Behind the last one, or behind the bracket.
    place = there[-1].end if there else at + 1
    rest = place if there else _skip(text, at + 1)
    return text[:place] + before + named + after + text[rest:]


def remove(text: str, at: int, place: int) -> str:
    """The text without the item at `place` of the object or list that begins at `at`. Comments around it stay."""
    there = items(text, at)
    if len(there) == 1:
        before, after = text[at + 1 : there[0].start], text[there[0].end : _skip(text, there[0].end)]
        return text[: at + 1] + _kept(before + after, text[_skip(text, there[0].end) :])
    if place == 0:
        return text[: there[0].start] + _behind_comma(text[there[0].end : there[1].start]) + text[there[1].start :]
    return text[: there[place - 1].end] + _kept(text[there[place - 1].end : there[place].start], text[there[place].end :])


def _kept(between: str, rest: str) -> str:
    """The comments, and what follows them, on a line of its own where one of them would take it in."""
    comments = _comments(between)
    ends_line = "//" in comments and not rest.startswith(("\r", "\n"))
    return comments + ("\n" if ends_line else "") + rest


def _comments(between: str) -> str:
    """The comments between two items, without the comma."""
    return "".join(found[0] for found in _LINES.finditer(between)) if "/" in between else ""


def _behind_comma(between: str) -> str:
    comments = _comments(between)
    return f"{comments.lstrip()}{between[len(between.rstrip()) :]}" if comments else ""


def root(text: str) -> int:
    """Where the outermost value begins."""
    return _skip(text, 0)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(plain(text), at)
    return found.end() if found else at


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """How far the text indents: as its first indented line, two spaces where there is none."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _indented(value: Any, inner: str, step: str, newline: str) -> str:
    lines = json.dumps(value, indent=step, ensure_ascii=False).split("\n")
    return (newline + inner).join(lines)
