"""Parts of a long request, so that those not done yet can be handed on in the person's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from continuity.knowledge.language.clip import shorten
from continuity.knowledge.model import Quote, Ref
from continuity.knowledge.state.codec import cost
from continuity.knowledge.state.step import FoldStep

LONG = 1500  # characters from which a request is a brief
READ = 60_000  # characters read of it
LEAST = 3  # parts that make one
KEPT = 24
SIZE = 10_000  # bytes of JSON
PART = (1200, 700, 400, 200)  # characters kept of a part: the first that keeps all within the size
LISTED, OF_DOCUMENT = 2, 4  # items of a list, and parts of a document that are kept
SAYS = 12  # characters below a heading from which it says something

_HEADING = re.compile(r"[ \t]{0,3}#{1,4}[ \t]+\S")
_LISTED = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[ \][ \t]+)?[^\W\d_]", re.M)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


def parts(step: FoldStep, part: int) -> tuple[Quote, ...]:
    """The parts of a text that is long and divided by headings, each with its heading; none of another text."""
    text = step.message.parts[part].text[:READ]
    found = [step.quote(part, start, end) for start, end in _spans(text)] if len(text) >= LONG else []
    return bounded(found) if len(found) >= LEAST else ()


def of_document(step: FoldStep, part: int, plain: str) -> tuple[Quote, ...]:
    """The parts of a document, `plain` without the numbers of its lines, that hold a list: what is to be done, or found out."""
    ref = Ref(step.seq, part)
    found = [Quote(plain[start:end], ref) for start, end in _spans(plain[:READ]) if len(_LISTED.findall(plain, start, end)) >= LISTED]
    return bounded([shorten(each, PART[1]) for each in found[:OF_DOCUMENT]])


def bounded(found: Sequence[Quote]) -> tuple[Quote, ...]:
    """The first parts, each as long as all of them may be."""
    found = found[:KEPT]
    kept = [tuple(shorten(each, limit) for each in found) for limit in PART]
    return next((each for each in kept if sum(cost(quote.text) + 40 for quote in each) <= SIZE), kept[-1][: KEPT // 2])


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each part begins and ends, without white space around it; a heading with nothing below it is none."""
    starts = [*_headings(text), len(text)]
    for start, end in pairwise(starts):
        body = text[start:end].partition("\n")[2].strip(" \n\r\t-=*_")
        if len(body) >= SAYS:
            words = text[start:end]
            yield start + len(words) - len(words.lstrip()), start + len(words.rstrip())


def _headings(text: str) -> Iterator[int]:
    fenced = False
    position = 0
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and _HEADING.match(line):
            yield position
        position += len(line)
