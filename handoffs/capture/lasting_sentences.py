"""Which sentences say something to a stranger, a year later: no orders for the moment, questions, announcements, reports of what was done
or how it stands, fragments, and slips of the pen that a compiler or linter found. Pure."""

from __future__ import annotations

import re

from continuity.knowledge.language.acceptance import is_bare
from continuity.repository.words import ALL_WORDS

SHORTEST = 4  # words
LOOKED_AT = 400  # characters
BRIEF = 12  # words of a sentence that may only say how it stands

_ASKS = re.compile(r"\?[\s\"”*)]*$|\bwhat would you like\b|\bwhich (?:option|one)\b", re.I)
_ORDER = re.compile(
    r"(?:(?:ok(?:ay)?|now|then|next|first|also|and|good|great|perfect|please|oh|hm+)[,.!: ]+)*"
    r"(?:(?:let me|let's|i'll|i will|i want|i need|i would|we (?:should|need|have|had)|need to|can (?:you|we)|could (?:you|we))\b"
    r"|(?:re-?)?(?:run|fix|update|check|verify|find|look|commit|push|see|continue|make sure|merge|rebase|proceed)\b)",
    re.I,
)
_ACT = re.compile(
    r"(?:add|implement|try|expect|understand|compare|get|revert|great|wait|this will|all (?:\w+ ){0,4}pass|the tests? pass\w*)\b", re.I
)
_REASON = re.compile(r"\b(?:because|since|otherwise|so that|due to|instead of|never|always|must|doesn['’]t work|won['’]t work)\b", re.I)
_FRAGMENT = re.compile(r"\(.*\)$|(?:not|and|but|or|so|which|that|to|as|with|of)\b", re.S)
_REPORT = re.compile(
    r"(?:\*\*[^*]{1,90}\*\*\W*)?(?:\*\*)?(?:updated|removed|added|fixed|renamed|changed|replaced|moved|created|lost|detects|prints)\b", re.I
)
_STANDS = re.compile(r"\b(?:pass(?:es|ed)?|clean|pushed|committed|done|fixed|failed|failing|no active|task failed)\b", re.I)
_SLIP = re.compile(
    r"imported and not used|declared (?:and|but) (?:not|never) used|is (?:not|never) checked|is never (?:used|read)|\bundefined: "
    r"|unused (?:import|variable)|is defined but never used|expected ['‘\"`]?[;:,)}\]]|unexpected (?:token|indent)|syntax ?error|no-unused"
    r"|cannot find (?:name|module)|\b[FEWGB]\d{3,4}\b|not equal:\s*$|task failed|(?:got|want|expected|actual):?\s*$"
    r"|^[\w./-]+:\d+(?::\d+)?\s*:? #",
    re.I,
)


def is_lasting(text: str, shortest: int = SHORTEST) -> bool:
    """Whether a sentence says something by itself; in fewer words where it stands beside what it is about."""
    words = text[:LOOKED_AT].strip(" -–•>")
    count = len(ALL_WORDS.findall(words))
    if count < shortest or is_bare(words) or _ASKS.search(words) or _FRAGMENT.match(words) or _REPORT.match(words):
        return False
    if count <= BRIEF and _STANDS.search(words) and not _REASON.search(words):
        return False
    return _ORDER.match(words) is None or _REASON.search(words) is not None


def explains(said: str) -> bool:
    """Whether what an agent said between a failure and its end tells why, not what it is about to do."""
    return is_lasting(said) and (_ACT.match(said) is None or _REASON.search(said) is not None)


def is_slip(cause: str) -> bool:
    """Whether a check failed for what its own words say all about, or for nothing that they say."""
    cause = cause[:LOOKED_AT]
    return _SLIP.search(cause) is not None or len(ALL_WORDS.findall(cause)) < SHORTEST
