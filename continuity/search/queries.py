"""A search query as terms that must all stand in what is found, or where nothing holds all, as any of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from continuity.search.wording import WORD, joined

MOST_TERMS = 12
# A word of at least so many letters also finds what begins with it: there are no stems, since text is in many languages and in code.
PREFIX = 4
# Endings of so many letters are let go where nothing holds all words: "copying" then finds "copy", "decided" also "decision".
ENDING = 3
_TOKEN = re.compile(r'(-?)"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Term:
    """`words` in a row; with `prefix` the (only) word may go on. What is `excluded` must not stand there."""

    words: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False

    @property
    def loosened(self) -> Term:
        if len(self.words) > 1 or len(self.words[0]) <= PREFIX:
            return self
        return replace(self, words=(self.words[0][: max(PREFIX, len(self.words[0]) - ENDING)],), prefix=True)

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
    """`any_of` is whether one of the wanted terms is enough."""

    terms: tuple[Term, ...]
    any_of: bool = False

    @property
    def loosened(self) -> Query:
        """Any of its longer words, or what begins as they do; the short ones, which stand everywhere, only where there are no others."""
        long = [term for term in self.wanted if len(term.words) > 1 or len(term.words[0]) >= PREFIX]
        kept = [*(term.loosened for term in long or self.wanted), *(term for term in self.terms if term.excluded)]
        return Query(tuple(kept), any_of=True)

    @property
    def wanted(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if not term.excluded)

    @property
    def tsquery(self) -> str:
        """For `to_tsquery('simple', …)`; holds letters and digits only, beside its own signs."""
        if not self.any_of:
            return " & ".join(term.tsquery for term in self.terms)
        wanted = " | ".join(term.tsquery for term in self.wanted)
        return " & ".join([f"({wanted})", *(term.tsquery for term in self.terms if term.excluded)])


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
