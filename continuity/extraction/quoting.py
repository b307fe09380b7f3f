"""Finding a quote in the text that it claims to be from: word for word, and never less than the sentences it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.extraction.model import Reason, WindowExcerpt, WindowLimits
from continuity.knowledge.language.sentences import LONGEST, split
from continuity.knowledge.model import Ref


def place(quote: object, said_in: Sequence[WindowExcerpt], limits: WindowLimits) -> tuple[WindowExcerpt, Ref] | Reason:
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
        # Only where the model could read it: a search through megabytes is work that an answer must not be able to cause.
        for first, last in excerpt.visible or ((0, len(excerpt.text)),):
            found = pattern.search(excerpt.text, first, last)
            if found is not None:
                return _widened(excerpt, found.start(), found.end(), max(0, first - LONGEST), limits)
    return Reason.NOT_VERBATIM


def _widened(excerpt: WindowExcerpt, start: int, end: int, begin: int, limits: WindowLimits) -> tuple[WindowExcerpt, Ref] | Reason:
    """The sentences that `start` to `end` touches, in the text from `begin` to as far as one sentence can reach."""
    sentences = split(excerpt.text[begin : end + LONGEST])
    touched = [(s.start + begin, s.end + begin) for s in sentences if s.start + begin < end and start < s.end + begin]
    if not touched:
        return Reason.NOT_VERBATIM  # code, a quotation or markup: nobody's statement
    start, end = touched[0][0], touched[-1][1]
    if end - start > limits.longest_quote:
        return Reason.TOO_LONG
    if any(span.start < end and start < span.end for span in excerpt.secrets):
        return Reason.MASKED
    return excerpt, Ref(excerpt.seq, excerpt.part, start, end)
