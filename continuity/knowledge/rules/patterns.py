"""Patterns as the catalogue writes them: keywords, and regular expressions with named fragments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from continuity.knowledge.language.requests import VERBS
from continuity.knowledge.rules.engine import CLAUSE, cue
from continuity.knowledge.rules.marks import FINDING

# Fragments that code reads too; each family's file has its own beside them.
SHARED: Mapping[str, str] = {"clause": CLAUSE, "finding": FINDING, "verbs": VERBS}

_FRAGMENT = re.compile(r"\{([a-z_]+)\}")  # a number of repeats has digits
_FOLDED = re.compile(r"(?:\A|\n)[ \t]*")
_KEYWORD = re.compile(r"\w(?:[\w' /-]*\w)?")


class BadPattern(ValueError):
    """A pattern or keyword that can't be read; the message says why."""


def expanded(pattern: str, fragments: Mapping[str, str]) -> str:
    """The pattern in one line with its fragments in place: a line break and the indentation behind it are left out.

    Raises BadPattern on a fragment that nobody defines, and on what is no regular expression.
    """

    def fragment(match: re.Match[str]) -> str:
        if match[1] not in fragments:
            raise BadPattern(f"there is no fragment “{match[1]}”")
        return f"(?:{_FOLDED.sub('', fragments[match[1]])})"

    whole = _FRAGMENT.sub(fragment, _FOLDED.sub("", pattern))
    try:
        re.compile(whole)
    except re.error as error:
        raise BadPattern(f"is no regular expression: {error}") from error
    return whole


def words(keywords: Sequence[str]) -> list[str]:
    """One pattern that finds each of the keywords as whole words, or none where there are none. Raises BadPattern."""
    for keyword in keywords:
        if not _KEYWORD.fullmatch(keyword) or keyword != keyword.lower():
            raise BadPattern(f"“{keyword[:60]}” is no keyword: words in lower case, without signs of a pattern")
    return [rf"\b(?:{'|'.join(keywords)})\b"] if keywords else []


def compiled(keywords: Sequence[str], patterns: Iterable[str]) -> re.Pattern[str] | None:
    """Keywords and expanded patterns as one pattern over lower-case text; None where there is none. Raises BadPattern."""
    alternatives = [*words(keywords), *patterns]
    return cue(*alternatives) if alternatives else None
