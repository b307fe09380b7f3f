"""The clause and the sentence in which words of a note stand."""

from __future__ import annotations

import re

_UNSURE = re.compile(
    r"\b(?:if|until|unless|once|when|whether|ensure|should|must|will|would|needs?|to|before|not|never|no|nothing|cannot|verify|confirm|hope"
    r"|expect|assume|wants?|run|nicht|noch)\b|n['’]t\b"
)
_ONLY = re.compile(r"\b(?:if|once|when|except|unless|until|but)\b")
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)")
_FULL_STOP = re.compile(r"[.!?](?=\s|$)")
CLAUSE = re.compile(r"[.;:,(!?]")


def asserted(low: str, found: re.Match[str]) -> bool:
    """Whether the words are told as a fact: nothing before or behind them in their clause says that they are not, or not yet."""
    before = CLAUSE.split(low[: found.end()])[-1] if not CLAUSE.search(found[0]) else low[: found.end()]
    after = CLAUSE.split(low[found.end() :], maxsplit=1)[0]
    return _UNSURE.search(before) is None and _ONLY.search(after) is None


def whole_sentence(low: str, found: re.Match[str]) -> str:
    """The sentence in which the words stand, with all its clauses."""
    return _FULL_STOP.split(low[: found.start()])[-1] + found[0] + _FULL_STOP.split(low[found.end() :], maxsplit=1)[0]


def sentence_of(low: str, found: re.Match[str]) -> str:
    return _SENTENCE_END.split(low[: found.start()])[-1] + found[0] + _SENTENCE_END.split(low[found.end() :], maxsplit=1)[0]
