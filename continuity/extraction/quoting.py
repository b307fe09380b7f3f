"""Finding a quote in the text that it claims to be from: word for word, and never less than the sentences it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.distill.language.sentences import split
from continuity.distill.model import Ref
from continuity.extraction.model import Excerpt, Limits, Reason


def place(quote: object, said_in: Sequence[Excerpt], limits: Limits) -> tuple[Excerpt, Ref] | Reason:
    """Where `quote` stands, differences in white space aside, widened to whole sentences; or why it is not taken.

    A part of a sentence can say the opposite of the whole ("change the API" in "Never change the API").
    """
    if not isinstance(quote, str):
        return Reason.SHAPE
    if len(quote) > limits.longest_quote:
        return Reason.TOO_LONG
    words = quote.split()
    if len(words) < 2 or sum(map(len, words)) < limits.shortest_quote:
        return Reason.TOO_SHORT
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    for excerpt in said_in:
        found = pattern.search(excerpt.text)
        if found is not None:
            return _widened(excerpt, found.start(), found.end(), limits)
    return Reason.NOT_VERBATIM


def _widened(excerpt: Excerpt, start: int, end: int, limits: Limits) -> tuple[Excerpt, Ref] | Reason:
    touched = [s for s in split(excerpt.text) if s.start < end and start < s.end]
    if not touched:
        return Reason.NOT_VERBATIM  # code, a quotation or markup: nobody's statement
    start, end = touched[0].start, touched[-1].end
    if end - start > limits.longest_quote:
        return Reason.TOO_LONG
    if any(span.start < end and start < span.end for span in excerpt.secrets):
        return Reason.MASKED
    return excerpt, Ref(excerpt.seq, excerpt.part, start, end)
