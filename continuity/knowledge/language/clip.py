"""Shortening that bounds both the characters kept and the bytes they take in stored state."""

from __future__ import annotations

import json

from continuity.knowledge.model import Quote, Ref

WORD = 40  # characters that a clip goes back for a word's end


def clip(text: str, limit: int) -> str:
    """The first `limit` characters, fewer where they would take over twice as many bytes of JSON."""
    text = text[:limit]
    size = len(json.dumps(text))
    while size > 2 * limit + 2 and len(text) > 1:
        text = text[: max(1, min(len(text) - 1, 2 * limit * len(text) // size))]
        size = len(json.dumps(text))
    return text


def shorten(quote: Quote, limit: int) -> Quote:
    """The quote clipped to `limit` at a word's end, its span shortened with it."""
    text = clip(quote.text, limit)
    if len(text) == len(quote.text):
        return quote
    if not quote.text[len(text)].isspace():
        text = text[: max((place for place in range(max(len(text) - WORD, 1), len(text)) if text[place].isspace()), default=len(text))]
    ref = quote.ref
    return Quote(text, Ref(ref.seq, ref.part, ref.start, ref.start + len(text)))


def one_line(text: str, limit: int) -> str:
    """The text on one line, clipped."""
    return clip(" ".join(text[: limit * 4].split()), limit)
