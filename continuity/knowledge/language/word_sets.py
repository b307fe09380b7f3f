"""Sets of words written as running text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text that are divided by white space."""
    return frozenset(text.split())
