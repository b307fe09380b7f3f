"""Finds what stands between marks in a text, in time linear in it also where marks are never closed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_UNCLOSED = 50

_FENCE = re.compile(r"(`{3,20})([^`\n]{0,200})\Z")


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """`start` and `end` are in characters of the text and take in the marks; `opening` is the first of them."""

    start: int
    end: int
    opening: re.Match[str]
    inner: str


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of code: what stands behind its opening, and its lines."""

    start: int
    end: int
    info: str
    body: str


def sections(text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], str]) -> Iterator[MarkedSection]:
    """The stretches from an opening to the next closing that `closing` names for it; an unclosed opening is none."""
    unclosed: set[str] = set()
    covered = 0
    for found in opening.finditer(text):
        if found.start() < covered:
            continue
        mark = closing(found)
        if mark in unclosed:
            continue
        end = text.find(mark, found.end())
        if end < 0:
            unclosed.add(mark)
            if len(unclosed) >= MAX_UNCLOSED:
                return
            continue
        covered = end + len(mark)
        yield MarkedSection(found.start(), covered, found, text[found.end() : end])


def fences(text: str) -> Iterator[Fence]:
    """The closed blocks of fenced code, in order."""
    at = start = body = 0
    ticks = info = ""
    for line in text.splitlines(keepends=True):
        words = line.rstrip()
        if ticks and words == ticks:
            yield Fence(start, at + len(words), info, text[body:at])
            ticks = ""
        elif not ticks and (opened := _FENCE.match(words)):
            ticks, info = opened[1], opened[2].strip()
            start, body = at, at + len(line)
        at += len(line)


def without(text: str, blocks: list[Fence]) -> str:
    """The text outside the blocks."""
    pieces, at = [], 0
    for block in blocks:
        pieces.append(text[at : block.start])
        at = block.end
    return "".join([*pieces, text[at:]])
