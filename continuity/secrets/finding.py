"""Finding the secrets of a text with all detectors, in one pass each."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable

from continuity.core.isolation import NOT_ITS_FAULT, error_type, place_of
from continuity.secrets import assignments, commands, files, keys, patterns, sentences, vendors
from continuity.secrets.literals import any_of
from continuity.secrets.model import SecretSpan

logger = logging.getLogger("continuity.secrets")

UNCHECKED = "unchecked"  # the kind of a text in which nothing could be looked for

# Looking for letters that several literals have in common takes the place of looking for each where none of them is.
_SHARED = ("key", "pass", "token", "gh", "sk-", "k_", "discord", "twilio", "gl", "-us", "hv", "-cli")


def _by_shared(literals: Iterable[str]) -> dict[str, list[str]]:
    """Literals by what stands in each of them in lower case: shared letters, or the whole literal."""
    groups: dict[str, list[str]] = {}
    for literal in sorted(literals):
        low = literal.lower()
        groups.setdefault(next((shared for shared in _SHARED if shared in low), low), []).append(literal)
    return groups


OWN = (*patterns.PATTERNS, *commands.COMMANDS, *files.FILES, *sentences.SENTENCES)
TRIGGERS = _by_shared(keys.TRIGGERS | assignments.TRIGGERS | {trigger for each in OWN for trigger in each.triggers})
LITERALS = _by_shared(vendors.LITERALS)
EITHER = sorted(TRIGGERS.keys() | LITERALS.keys())
# Most texts hold none of the literals: one search for any of them takes a third of the time of one for each.
ANY = re.compile(any_of({each.lower() for groups in (TRIGGERS, LITERALS) for literals in groups.values() for each in literals}))


def find(text: str) -> tuple[SecretSpan, ...]:
    """The secrets in `text`, in order and without overlap; where detectors disagree, the more specific one names it.

    Time is linear in the text. Detectors run only where a literal that they need is present. Where one raises, the whole text counts as
    one secret: nobody knows what it holds.
    """
    try:
        return _find(text)
    except NOT_ITS_FAULT:
        raise
    except Exception as error:  # noqa: BLE001  logged by its type: what it says may quote the text
        logger.error("A text could not be searched for secrets and is masked whole: %s at %s", error_type(error), place_of(error))
        return (SecretSpan(0, len(text), UNCHECKED),)


def _find(text: str) -> tuple[SecretSpan, ...]:
    if len(text) < 8:
        return ()
    lowered = text.lower() if text.isascii() else _lower_in_place(text)
    if not ANY.search(lowered):
        return ()
    shared = {*filter(lowered.__contains__, EITHER)}
    present = {literal for letters in shared & TRIGGERS.keys() for literal in TRIGGERS[letters] if literal in lowered}
    literals = {literal for letters in shared & LITERALS.keys() for literal in LITERALS[letters] if literal in text}
    if not present and not literals:
        return ()
    found: list[SecretSpan] = []
    for spans in (
        keys.key_matches(text, present),
        patterns.shaped_matches(text, present, patterns.PATTERNS),
        patterns.shaped_matches(text, present, commands.COMMANDS + files.FILES),
        vendors.vendor_matches(text, literals),
        assignments.assigned_matches(text, lowered, present),
        patterns.shaped_matches(text, present, sentences.SENTENCES),
    ):
        found = _joined(found, sorted(spans))
    return tuple(found)


def _lower_in_place(text: str) -> str:
    """Lower case that keeps every position: a few characters change their length when lowered."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _joined(first: list[SecretSpan], second: list[SecretSpan]) -> list[SecretSpan]:
    """Both lists in order; a span of the second that overlaps anything before it is left out."""
    kept: list[SecretSpan] = []
    waiting = iter(first)
    ahead = next(waiting, None)
    for span in second:
        while ahead and ahead.end <= span.start:
            kept.append(ahead)
            ahead = next(waiting, None)
        if (ahead is None or span.end <= ahead.start) and (not kept or kept[-1].end <= span.start):
            kept.append(span)
    if ahead:
        kept.append(ahead)
    kept.extend(waiting)
    return kept
