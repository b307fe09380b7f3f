"""How much of a reader's sentence stands in a text: its content words, in whatever order. No model, no judgement."""

from __future__ import annotations

from continuity.knowledge.language.content_words import is_stop, stem, tokens
from diagnostics.evaluation.coverage import is_stated


def content_words(sentence: str) -> tuple[str, ...]:
    """What the sentence is about, in lower case and each once: words that are not too common, names, paths and numbers."""
    words = (token.lower() for token in tokens(sentence))
    return tuple(dict.fromkeys(word for word in words if not is_stop(word) and (len(word) > 2 or word.isdigit())))


def share(sentence: str, text: str) -> float:
    """How many of the sentence's content words stand in the text, 0..1: as they are, within a longer word or path, or inflected.

    A sentence without any asks for nothing: 1.
    """
    lower, stems = text.lower(), {stem(token) for token in tokens(text)}
    words = content_words(sentence)
    return sum(is_stated(word, lower) or stem(word) in stems for word in words) / len(words) if words else 1.0
