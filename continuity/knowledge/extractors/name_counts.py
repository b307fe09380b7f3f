"""Exact names in use: files, identifiers and hashes, weighted by how often and how lately the session used them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse
from typing import Any

from continuity.knowledge.extractors.recency import faded
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.state.state import FoldState
from continuity.knowledge.state.step import FoldStep

READ = 6_000  # characters of one text that is said or that a tool is called with
SEEN = 12_000  # characters of what a result shows
SHORTEST, LONGEST = 7, 60
SHOWN = 0.2  # what a name weighs that a result shows, beside one that is used
HASH = 12  # digits by which a hash is told
HALF = 120  # messages after which a use counts half
# What a person names matters longer, as what a person states does.
SAID, SAID_HALF = 2.0, 400
# What a name of the last message weighs besides, whoever brought it up, and after how many messages half of that.
FRESH, FRESH_HALF = 0.2, 8
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


def used(step: FoldStep, texts: Iterable[str]) -> None:
    """Count the names that one message uses, each once; what was only shown before is in use from then on."""
    used, shown = step.state.names, step.state.shown
    names = dict.fromkeys(name for text in texts for name in names_in(text[:READ]))
    if not shown.held(names):
        used.count_all(names, 1.0, step.seq, HALF)
        return
    for name in names:
        before = shown.pop(name)
        if before is not None:
            used.put(name, before)
        used.count_all((name,), 1.0, step.seq, HALF)


def said(step: FoldStep, text: str) -> None:
    """Count the names in a person's words, each once."""
    step.state.said.count_all(dict.fromkeys(names_in(text[:READ])), SAID, step.seq, SAID_HALF)


def seen(step: FoldStep, text: str) -> None:
    """Count the names that a result shows, each once."""
    names = dict.fromkeys(names_in(text[:SEEN]))
    for name in (used := step.state.names.held(names)):
        del names[name]
    step.state.names.count_all(used, SHOWN, step.seq, HALF)
    step.state.shown.count_all(names, SHOWN, step.seq, HALF)


def values(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The texts that a tool is called with."""
    for value in arguments.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from (text for each in value[:20] if isinstance(each, Mapping) for text in values(each))


def in_use(state: FoldState) -> tuple[str, ...]:
    """The names that weigh most at the state's last message for the room that they take."""
    worth: dict[str, float] = {}
    for uses, half in ((state.said, SAID_HALF), (state.names, HALF), (state.shown, HALF)):
        for name, use in uses.items():
            age = state.through_seq - use.seq
            weight = use.weight * faded(age, half) + FRESH * faded(age, FRESH_HALF)
            worth[name] = worth.get(name, 0.0) + weight * (FILE if _FILE.fullmatch(name) else 1.0) / (len(name) + APART)
    return tuple(sorted(worth, key=lambda name: (-worth[name], name))[:KNOWN])
