"""Finds the lines of a package that a summary does not state. Pure.

A line counts as stated where a few neighbouring sentences of the summary hold most of its words, all its names and figures,
and say no where it says no. So a summary may use other words around them, but not drop or turn round what matters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SHARE = 0.7
NEIGHBOURS = 3
STEM = 4

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"(?<![\w./:@-])[\w./:@-]*\w", re.UNICODE)
_NEGATION = re.compile(r"\b(?:never|no|not|none|without|cannot|nothing|avoid|forbid\w*)\b|n't\b|n’t\b", re.IGNORECASE)
# A name or a figure: something that paraphrase does not change.
_EXACT = re.compile(r"\d|[_/@]|\w\.\w|[a-z][A-Z]")
_STOP = frozenset(
    [
        "about",
        "after",
        "also",
        "always",
        "been",
        "before",
        "being",
        "because",
        "could",
        "does",
        "done",
        "each",
        "every",
        "from",
        "have",
        "here",
        "into",
        "just",
        "keep",
        "like",
        "made",
        "make",
        "must",
        "need",
        "never",
        "only",
        "other",
        "please",
        "should",
        "that",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "use",
        "using",
        "very",
        "want",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "will",
        "with",
        "would",
        "your",
        "yours",
    ]
)


def missing(items: Sequence[dict[str, str]], summary: str) -> list[dict[str, str]]:
    """The items (with `text`) that the summary does not state, in their order."""
    sentences = [sentence for sentence in _SENTENCE.split(summary) if sentence.strip()]
    windows = [" ".join(sentences[index : index + NEIGHBOURS]) for index in range(max(1, len(sentences)))]
    read = [(_stems(window), window.lower(), bool(_NEGATION.search(window))) for window in windows]
    return [item for item in items if not any(_states(item["text"], *window) for window in read)]


def _states(text: str, stems: set[str], words: str, says_no: bool) -> bool:
    wanted = _stems(text)
    exact = [word.lower() for word in _WORD.findall(text) if _EXACT.search(word)]
    if _NEGATION.search(text) and not says_no:
        return False
    if not all(word in words for word in exact):
        return False
    return not wanted or len(wanted & stems) >= SHARE * len(wanted)


def _stems(text: str) -> set[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return {word[:STEM] for word in words if len(word) > 3 and word not in _STOP}
