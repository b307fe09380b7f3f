"""Vocabularies of tokens, from those that splintr ships, and counting with them; words that come again are kept."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache

import splintr

# Longer texts are counted in pieces, so that neither time nor memory grows faster than the text.
CHUNK_CHARS = 32_768
KEEP_SECONDS = 60.0
BYTE_LEVEL = "BPE"  # the family of tokenizers that keep what they encoded
# In all other vocabularies no token goes over the end of a line into the words of the next.
OVER_LINES = frozenset(("codellama", "llama2", "mistral_v1", "mistral_v2"))
# A line with its end and the blank lines and indents after it.
LINE = re.compile(r"[^\n]*(?:\n(?=\s|\Z)[^\n]*)*\n?")


@cache
def vocabulary(name: str) -> TokenVocabulary:
    return TokenVocabulary(name)


class TokenVocabulary:
    """A tokenizer that drops the unusual words which it keeps by itself, each minute that it is used: what was erased must not stay."""

    def __init__(self, name: str) -> None:
        self._tokenizer = splintr.Tokenizer.from_pretrained(name)
        self._keeps = self._tokenizer.family == BYTE_LEVEL
        self._since = time.monotonic()

    @property
    def kept(self) -> int:
        """How many words it keeps."""
        return self._tokenizer.cache_len if self._keeps else 0

    def encode(self, text: str) -> list[int]:
        now = time.monotonic()
        if self._keeps and now - self._since > KEEP_SECONDS:
            self._since = now
            self._tokenizer.clear_cache()
        return self._tokenizer.encode_ordinary(text)


def pieces(text: str) -> Iterator[str]:
    """`text` in runs of at most CHUNK_CHARS, cut after a line end or before a space where there is one."""
    if not text.isascii():
        # Lone surrogates cannot be encoded; a reader may have let them through.
        text = text.encode("utf-8", "replace").decode("utf-8")
    start = 0
    while len(text) - start > CHUNK_CHARS:
        limit = start + CHUNK_CHARS
        cut = text.rfind("\n", start + CHUNK_CHARS // 2, limit) + 1 or text.rfind(" ", start + CHUNK_CHARS // 2, limit)
        cut = cut if cut > start else limit
        yield text[start:cut]
        start = cut
    yield text[start:]
