"""Words by which somebody says that something is to be, or is, otherwise than before. Those of `low` are in lower case."""

from __future__ import annotations

import re

from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.requests import OTHERWISE
from continuity.knowledge.rules.prefilter import PrefilteredPattern

_TURNED = PrefilteredPattern(
    OTHERWISE + r"|\binstead\b|\bno longer\b|\bnot any ?more\b|\bchanged (?:my|our) mind\b|\bswitch(?:ed|ing)? (?:to|back|over)\b"
    r"|\bscrap\b|\bforget\b|\brather than\b|\blet's not\b|\brevert\b|\bback to\b|\bthinking about it\b|\bcome to think\b"
    r"|\bslept on it\b|\bswapped\b|\btakes? over\b|\bmoved? to\b|\bfrom now on\b|\bwas wrong\b|\bturns out\b"
    r"|\bstattdessen\b|\bplutôt\b"
)
# Beside what it stands in the place of, a word of change tells of that alone.
_BESIDE = re.compile(r"\b(?:rather than|instead of)\b")
_MIND = PrefilteredPattern(
    r"\bactually\b|\bcorrection\b|\bnot .{1,40} but\b|^(?:no|nope|nein|non)\b|\b(?:is|are|we|we're) now\b|\w now(?=[.,!]|$)"
    r"|\bthese days\b|^move\b.{2,60}\bto\b"
    r"|\bit(?:'s| is) [\w./-]+ (?:that |which )?(?:we|you|they|i)\b|\bmistaken\b|\bjetzt\b|\bdoch\b"
)
# The person sets something anew, without a word on what it was.
_SETS = PrefilteredPattern(
    r"(?:^|[.,;:!] )(?:please )?(?:set|bump|raise|lower|increase|decrease|reduce|scale|change|move|switch|make|turn|let|start|cap|limit"
    r"|extend|cut)\b"
)
# The words of that, as the content of a statement has them.
SETTING = frozenset(
    content("set bump raise lower increase decrease reduce scale change move switch turn let start cap limit extend cut", 30)
)


def turn(low: str, *, stated: bool) -> bool:
    """Whether they turn from one thing to another. What an agent does instead of something else is no turn."""
    return _TURNED.search(low if stated else _BESIDE.sub("", low)) is not None


def correct(low: str) -> bool:
    """Whether they correct what was said, or say how it is by now."""
    return _MIND.search(low) is not None


def set_anew(low: str) -> bool:
    return _SETS.search(low) is not None
