"""The form of a sentence or a text: standing or for once, taken back, stopped, refused, a project's rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

from continuity.transcripts.base.model import Message, PartKind

READ = 6000
RULES_READ, LINES = 40_000, 600  # characters and lines of a project's rules

_FOR_GOOD = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|whenever|under no circumstances|by default|as a rule|at all times"
    r"|every (?:time|commit|change|file|function|test|pr)|each (?:time|commit)|before (?:each|every|any)|(?:i|we) (?:\w+ly )?prefer"
    r"|must(?: not|n't)?|should(?:n't| not)? (?:always|never|only)|mandatory|forbidden|not allowed"
    r"|immer|nie(?:mals)?|ab jetzt|künftig|grundsätzlich|muss|müssen|darf|dürfen|jedes mal|bevorzuge"
    r"|toujours|jamais|désormais|doit|doivent|chaque fois|siempre|nunca|jamás|de ahora en adelante|deben?|cada vez|sempre)\b"
    r"|永远|总是|始终|必须|不要|绝不|禁止|每次|今后|必ず|常に|決して",
    re.I,
)
_FORBIDS = re.compile(
    r"(?:^|[,;:.(—–-]\s*|\b(?:please|and|but|so|also)\s+)"
    r"(?:do not|don't|dont|avoid|no|keep|use|only|prefer|make sure|ensure|leave|stick to)\b"
    r"|\b(?:fass|rühr)\w*\b.{0,60}\bnicht an\b|\bfinger weg\b",
    re.I,
)
_TAKES_BACK = re.compile(
    r"\b(?:actually|turns? out|turned out|(?:was|were|is) wrong|(?:was|were|is|are)n't|no longer|not (?:the|actually|really|needed|true|a)"
    r"|false alarm|mistaken?|incorrect|misread|misdiagnosed|doch nicht|stattdessen|falsch|nicht mehr|en fait|plutôt|au lieu"
    r"|en realidad|en lugar|ya no)\b|不再|其实|错了|而不是",
    re.I,
)
_RULE_FILE = re.compile(
    r"(?:^|[\s/\"'`(])(?:CLAUDE|AGENTS|GEMINI|CONTRIBUTING|CONVENTIONS|copilot-instructions|\.cursorrules|\.windsurfrules|\.clinerules)"
    r"(?:\.\w+)?\b|<INSTRUCTIONS>"
)
_STOPPED = "[Request interrupted"
_DENIED = re.compile(
    r"doesn't want to (?:proceed|take this action)|tool use was rejected|rejected by (?:the )?user|user (?:rejected|denied|declined)", re.I
)


def for_good(sentence: str) -> bool:
    """Whether a sentence says itself that it holds beyond what is being done."""
    return _FOR_GOOD.search(sentence) is not None


def lays_down(sentence: str) -> bool:
    """Whether a sentence demands or forbids, for good or for now."""
    return for_good(sentence) or _FORBIDS.search(sentence) is not None


def takes_back(sentence: str) -> bool:
    return _TAKES_BACK.search(sentence) is not None


def names_rules(text: str) -> bool:
    """Whether a text names a file of a project's rules where it begins."""
    return _RULE_FILE.search(text[:READ]) is not None


def stops(message: Message) -> bool:
    return any(part.kind is PartKind.TEXT and part.text.startswith(_STOPPED) for part in message.parts)


def denies_call(text: str) -> bool:
    """Whether a result says that the person refused the call."""
    return _DENIED.search(text[:READ]) is not None


def lines_of(text: str) -> Iterator[str]:
    """The lines and sentences of a project's rules, without marks."""
    for line in text[:RULES_READ].splitlines()[:LINES]:
        yield from (line, *line.split(". "))


def hashed(sentence: str) -> int:
    """A number for a sentence, whatever marks stand around its words."""
    return crc32("".join(c for c in sentence.lower() if c.isalnum()).encode())
