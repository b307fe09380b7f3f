"""Exact names in use: files, identifiers and hashes, by what they weigh among the terms of the session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import filterfalse

from continuity.knowledge.coverage.chance import Judge
from continuity.knowledge.coverage.term_uses import TermUses
from continuity.knowledge.language.word_sets import word_set

SHORTEST, LONGEST = 7, 60
HASH = 12  # digits by which a hash is told
KNOWN = 400  # names told of a state
# Files are taken up again more often than what stands in them.
FILE = 2.0
# A name costs room by its length and what divides it from the next.
APART = 2

_TOKEN = re.compile(r"[A-Za-z0-9_@][\w@./-]{3,118}\w")
# The same in a text of ASCII alone, as most are: letters that are listed are told twice as fast as those that a table knows.
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_@./-]{3,118}[A-Za-z0-9_]")
_FILE = re.compile(
    r"[\w@-][\w@.-]{0,50}\.(?:pyi?|ipynb|[cm]?[jt]sx?|go|mod|sum|rs|java|kts?|swift|rb|php|cc?|cpp|hpp?|cs|fs|scala|clj|exs?|erl|hs|lua|r|jl|dart|zig"
    r"|sql|proto|graphql|html?|s?css|less|vue|svelte|astro|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|lock|xml|csv|tsv|mdx?|rst|txt|log|sh|bash|zsh"
    r"|fish|ps1|bat|tf|hcl|nix|gradle|dockerfile|plist|svg|png|jpe?g|gif|pdf|patch|diff)",
    re.I,
)
_COMPOUND = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[0-9]*(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}")
_NUMBER = re.compile(r"[\d.]+\w?")
# A hash or a compound of some length, and no number.
_SINGLE = re.compile(
    rf"(?!\d+\w?\Z)(?:(?P<hash>(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{{7,40}})|(?=.{{{SHORTEST},{LONGEST}}}\Z)(?:{_COMPOUND.pattern}))"
)


# Names of tools and their outputs, which say nothing about this session.
_EVERYWHERE = word_set(
    """
    in_progress node_modules site-packages package.json package-lock.json file_path old_string new_string tool_use tool_result session_id
    exit_code is_error TypeScript JavaScript GitHub README.md stdout stderr index.js index.ts __init__.py
    """
)


def names_in(text: str) -> list[str]:
    """File names without their folders, compound identifiers, and hashes, each word's once, as they occur first."""
    found: list[str] = []
    single = _SINGLE.fullmatch
    # A plain number or word, as most are, is passed over before anything is looked at.
    for word in filterfalse(str.isdecimal, dict.fromkeys((_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text))):
        if word.isalpha() and (word.islower() or word.istitle()):
            continue
        token = word.rsplit("/", 1)[-1] if "/" in word else word
        if "." in token:
            found += _dotted(token)
        elif (match := single(token)) and token not in _EVERYWHERE:
            found.append(token[:HASH] if match.lastgroup == "hash" else token)
    return found


def _dotted(token: str) -> Sequence[str]:
    """The names in a token with dots: a file's, or those of a path of identifiers."""
    if len(token) > LONGEST or token in _EVERYWHERE or _NUMBER.fullmatch(token):
        return ()
    if len(token) > 4 and _FILE.fullmatch(token):
        return (token,)
    return [part for part in token.split(".") if len(part) >= SHORTEST and _COMPOUND.fullmatch(part)]


def in_use(uses: TermUses, seq: int) -> tuple[str, ...]:
    """The names among the terms of a conversation that weigh most after message `seq` for the room that they take."""
    judge = Judge(uses, seq)
    worth: dict[str, float] = {}
    for term in uses:
        for name in names_in(term):
            weight = judge.weight(term) * (FILE if _FILE.fullmatch(name) else 1.0) / (len(name) + APART)
            worth[name] = max(weight, worth.get(name, 0.0))
    return tuple(sorted(worth, key=lambda name: (-worth[name], name))[:KNOWN])
