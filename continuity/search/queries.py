"""A search query as terms that must all stand in what is found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from continuity.search.wording import WORD, joined

MOST_TERMS = 12
# A word of at least so many letters also finds what begins with it: there are no stems, since text is in many languages and in code.
PREFIX = 4
_TOKEN = re.compile(r'(-?)"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Term:
    """`words` in a row; with `prefix` the (only) word may go on. What is `excluded` must not stand there."""

    words: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False

    @property
    def tsquery(self) -> str:
        if len(self.words) == 1:
            found = f"'{self.words[0]}'{':*' if self.prefix else ''}"
        else:
            row = " <-> ".join(f"'{word}'" for word in self.words)
            found = f"({row} | '{joined(self.words)}')"
        return f"!{found}" if self.excluded else found


@dataclass(frozen=True, slots=True)
class Query:
    terms: tuple[Term, ...]

    @property
    def wanted(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if not term.excluded)

    @property
    def tsquery(self) -> str:
        """For `to_tsquery('simple', …)`; holds letters and digits only, beside its own signs."""
        return " & ".join(term.tsquery for term in self.terms)


def parse(text: str) -> Query:
    """The terms of `text`, at most twelve: words, "phrases", identifiers and paths; `-word` excludes. None where nothing is looked for."""
    terms: list[Term] = []
    for minus, phrase, token in _TOKEN.findall(text):
        excluded = bool(minus) or bool(re.match(r"-[^\W_]", token))
        words = tuple(WORD.findall((phrase or token).lower()))
        if words:
            prefix = not phrase and len(words) == 1 and len(words[0]) >= PREFIX
            terms.append(Term(words, prefix, excluded))
    terms = terms[:MOST_TERMS]
    return Query(tuple(terms) if any(not term.excluded for term in terms) else ())
