"""The named conditions that a rule of the catalogue can set on a whole sentence, beside its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.language.amounts import amounts
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.commitments import is_dated, owes
from continuity.knowledge.language.content_words import content, count_identifiers, is_identifier, tokens
from continuity.knowledge.language.leaving import leaves
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.rules.engine import GUESS, Predicate, RuleLine
from continuity.knowledge.rules.marks import MARKS, VALUE, count_marks
from continuity.knowledge.rules.prefilter import PrefilteredPattern

SHORT = 20  # characters below which nothing is a finding
LONGEST = 60  # words of a statement

_CHANGES = re.compile(
    r"\b(?:fix|chang|updat|summary|what i|what was|done|implement|verif|result|added|complet|pushed|confirm|found|geändert|modifi)"
)
_MONTH = PrefilteredPattern(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri)day)s?\b"
)
_CLAUSE = re.compile(r"\.\.\.|…|[,;:]\s|\s[–—-]\s")
_CHAT = re.compile(
    r"^(?:(?:ok|okay|so|and|but|also|hmm+|well|hey|hi|hello|thanks|thank you|sorry|good|great|nice|oh|yes|yeah|though)\b[,.!]?[ –—-]*)*"
    r"(?:i\b|i'm\b|i've\b|my \w+ (?:was|broke|is late)|you\b|this\b|that\b|it\b|there was\b"
    r"|last time\b)"
)
_PRONOUNS = frozenset(("I", "I'm", "I'd", "I'll", "I've", "OK"))


def lays_down(line: RuleLine) -> bool:
    """It is no promise: in what somebody owes, or promises for a day, "must", "can't" and "by Friday" tell what it is about."""
    return not (owes(line.low) or is_dated(line.low))


def has_two_content_words(line: RuleLine) -> bool:
    """It has two words of content."""
    return len(content(line.plain, 4)) >= 2


def has_five_content_words(line: RuleLine) -> bool:
    """It has five words of content."""
    return len(content(line.plain, 6)) >= 5


def names_a_choice(line: RuleLine) -> bool:
    """It says what is wanted without a verb that asks for an act: "Eight retries please"."""
    return not is_request(line.plain) and len(content(line.plain, 4)) >= 3 and acceptance(line.plain) is None


def names_two_things(line: RuleLine) -> bool:
    """It has two exact names: what is changed, and what into or where."""
    return count_identifiers(line.plain, 2) == 2


def names_something(line: RuleLine) -> bool:
    """It has an exact name, and four words of content."""
    return any(is_identifier(token) for token in tokens(line.plain)) and len(content(line.plain, 6)) >= 4


def names_a_file(line: RuleLine) -> bool:
    """It has an exact name that looks like that of a file or a part of one."""
    return any(is_identifier(t) and ("." in t or "/" in t or "_" in t) for t in tokens(line.plain))


def is_finding(line: RuleLine) -> bool:
    """It bears three marks of a finding."""
    return len(line.low) >= SHORT and count_marks(line) >= MARKS


def is_reported(line: RuleLine) -> bool:
    """It bears three marks of a finding; two where it is an item under a heading that says what was done."""
    told = line.sentence.kind is BlockKind.ITEM and _CHANGES.search(line.sentence.under) is not None
    return len(line.low) >= SHORT and count_marks(line) >= (MARKS - 1 if told else MARKS)


def gives_a_value(line: RuleLine) -> bool:
    """It has a value or an exact name, and 3 to 60 words."""
    found = tokens(line.plain)
    return 3 <= len(found) <= LONGEST and (VALUE.search(line.low) is not None or any(is_identifier(t) for t in found))


def tells_something(line: RuleLine) -> bool:
    """It is a statement about something of its own: with a quantity, a date or a name in it, and not about the talk itself."""
    found = tokens(line.plain)
    if line.brief or not _is_told(line) or not 4 <= len(found) <= LONGEST or _CHAT.match(line.low):
        return False
    if any(is_request(clause) for clause in _CLAUSE.split(line.plain)):
        return False
    exact = any(is_identifier(t) or t[0].isdigit() or (n and t[0].isupper() and t not in _PRONOUNS) for n, t in enumerate(found))
    return exact or bool(amounts(line.low)) or _MONTH.search(line.low) is not None


def is_plain_statement(line: RuleLine) -> bool:
    """It is a plain statement of some content in a short message: worth a line where there is room."""
    if line.brief or not _is_told(line) or _CHAT.match(line.low) or len(content(line.plain, 4)) < 3:
        return False
    return not any(is_request(clause) for clause in _CLAUSE.split(line.plain))


def _is_told(line: RuleLine) -> bool:
    """It is prose, and does not only announce what follows it: "Two things are important to me:"."""
    return line.sentence.kind is BlockKind.PROSE and not line.plain.rstrip().endswith(":")


def is_of_work(line: RuleLine) -> bool:
    """It is about the work, and not how the person leaves it."""
    return not leaves(line.plain)


def is_exact_contrast(line: RuleLine) -> bool:
    """It says by its exact name or amount what something is beside what it was taken for, and supposes nothing."""
    if is_guess(line) or len(content(line.plain, 4)) < 3:
        return False
    return "`" in line.sentence.text or VALUE.search(line.low) is not None or count_identifiers(line.plain, 1) > 0


def is_guess(line: RuleLine) -> bool:
    """It is only supposed."""
    return GUESS.search(line.low) is not None


def is_in_brief(line: RuleLine) -> bool:
    """It stands in a long text of the person, which sets out the work."""
    return line.brief


def is_outside_brief(line: RuleLine) -> bool:
    """It stands in no long text of the person: there a contrast describes, and corrects nothing."""
    return not line.brief


PREDICATES: Mapping[str, Predicate] = MappingProxyType(
    {
        predicate.__name__: predicate
        for predicate in (
            gives_a_value,
            has_five_content_words,
            has_two_content_words,
            is_exact_contrast,
            is_finding,
            is_guess,
            is_in_brief,
            is_of_work,
            is_outside_brief,
            is_plain_statement,
            is_reported,
            lays_down,
            names_a_choice,
            names_a_file,
            names_something,
            names_two_things,
            tells_something,
        )
    }
)
