"""Standing demands and settled choices of a person, found by the form of the sentence alone."""

from __future__ import annotations

import re

_CLAUSE = r"(?:^|[,;:.(—–-]\s*|\b(?:please|and|but|so|you|also|then|just)\s+)"
_FORBIDS = re.compile(
    rf"\b(?:never|must not|mustn't|not allowed|under no circumstances|stay away from|leave .{{1,60}} alone|refrain from|"
    rf"without (?:my|asking|touching|changing)|nothing (?:else|but))\b|{_CLAUSE}(?:do not|don't|avoid)\b"
    r"|^(?:(?:and|but|also|please|so)\s+)*no\s+(?:new|more|other|external|third)\b",
    re.I,
)
_DEMANDS = re.compile(
    r"\b(?:always|must|has to|have to|should (?:always|only|stay|remain|be)|make sure|ensure|keep (?:it|the|all|to|in)|"
    r"only (?:use|touch|change)|stick to|at (?:most|least)|no more than|from now on|every (?:time|commit|change|function|file)|"
    r"prefer|is required|are required)\b",
    re.I,
)
_SETTLES = re.compile(
    r"\b(?:let's|let us)\s+(?!not worry|check|see|update|look|try|do|run|start|continue|proceed|test|merge|commit|push|move|wait|begin)"
    r"|\b(?:go with|going with|went with|we(?:'ll| will| should)? use|i(?:'ll| will)? (?:take|choose|chose|decided?|want|prefer)|"
    r"use .{2,60} (?:instead|rather)|instead of|rather than|switch(?:ed)? to|settled? on|decided|agreed (?:on|to)|option [a-d\d]\b|"
    r"the (?:first|second|third|former|latter) (?:one|option|approach))\b",
    re.I,
)
_REVERSES = re.compile(
    r"(?:^|[,;:]\s*)(?:no|wait|actually|sorry|hold on|correction|scratch that|on second thought)\b"
    r"|\b(?:instead|after all|changed my mind|forget (?:it|that|about))\b",
    re.I,
)
_ASKS = re.compile(r"\?\W*$")
_PASSING = re.compile(r"\b(?:do not|don't) (?:know|think|see|worry|understand|mind|care|forget to)\b", re.I)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{3,}|\d[\w.:/-]+")
_COMMON = frozenset(
    """
    this that with from have will would should could there their they them then than when what which where your yours please
    also into onto over under been were just like make made need needs want only some more most very must never always dont
    instead rather using used uses does done each every these those here
    """.split()  # noqa: SIM905
)
# A sentence with fewer distinctive words says nothing that could be asked for.
TELLING = 2


def forbids(sentence: str) -> bool:
    return _tells(sentence) and not _PASSING.search(sentence) and bool(_FORBIDS.search(sentence))


def demands(sentence: str) -> bool:
    return _tells(sentence) and bool(_DEMANDS.search(sentence))


def settles(sentence: str) -> bool:
    return _tells(sentence) and bool(_SETTLES.search(sentence))


def reverses(sentence: str) -> bool:
    return bool(_REVERSES.search(sentence))


def distinctive(sentence: str) -> frozenset[str]:
    """The words by which a sentence is told from others, in lower case."""
    return frozenset(word for found in _WORD.findall(sentence) if (word := found.lower().rstrip("./-")) not in _COMMON)


def _tells(sentence: str) -> bool:
    return not _ASKS.search(sentence) and len(distinctive(sentence)) >= TELLING
