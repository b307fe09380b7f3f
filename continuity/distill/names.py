"""Exact names in use: files, identifiers and hashes, weighted by how often and how lately the session used them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from continuity.distill.items import Use
from continuity.distill.state import FoldState
from continuity.distill.step import Step
from continuity.distill.wordset import word_set

GLANCE = 1_500  # characters of what a result shows
READ = 6_000  # characters of one text
SHORTEST, LONGEST = 7, 60
SHOWN = 0.3  # what a name weighs that a result shows, beside one that is used
HASH = 12  # digits by which a hash is told
HALF = 60  # messages after which a use counts half
KNOWN = 160  # names told of a state

_TOKEN = re.compile(r"[A-Za-z0-9_@][\w@./-]{3,118}\w")
_FILE = re.compile(
    r"[\w@-][\w@.-]{0,50}\.(?:pyi?|ipynb|[cm]?[jt]sx?|go|mod|sum|rs|java|kts?|swift|rb|php|cc?|cpp|hpp?|cs|fs|scala|clj|exs?|erl|hs|lua|r|jl|dart|zig"
    r"|sql|proto|graphql|html?|s?css|less|vue|svelte|astro|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|lock|xml|csv|tsv|mdx?|rst|txt|log|sh|bash|zsh"
    r"|fish|ps1|bat|tf|hcl|nix|gradle|dockerfile|plist|svg|png|jpe?g|gif|pdf|patch|diff)",
    re.I,
)
_COMPOUND = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[0-9]*(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}")
_HASH = re.compile(r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}")
_NUMBER = re.compile(r"[\d.]+\w?")


# Names of tools and their outputs, which say nothing about this session.
_EVERYWHERE = word_set(
    """
    in_progress node_modules site-packages package.json package-lock.json file_path old_string new_string tool_use tool_result session_id
    exit_code is_error TypeScript JavaScript GitHub README.md stdout stderr index.js index.ts __init__.py
    """
)


def names_in(text: str) -> Iterator[str]:
    """File names without their folders, compound identifiers, and hashes, in the order in which they first occur."""
    for word in dict.fromkeys(_TOKEN.findall(text[:READ])):
        if word.islower() and word.isalpha():
            continue  # a plain word, as most are
        token = word.rsplit("/", 1)[-1]
        if len(token) > LONGEST or token in _EVERYWHERE or _NUMBER.fullmatch(token):
            continue
        if _HASH.fullmatch(token):
            yield token[:HASH]
        elif len(token) > 4 and _FILE.fullmatch(token):
            yield token
        else:
            yield from (word for word in token.split(".") if len(word) >= SHORTEST and _COMPOUND.fullmatch(word))


def used(step: Step, texts: Iterable[str], weight: float = 1.0) -> None:
    """Count the names in the texts of one message, each once."""
    found = dict.fromkeys(name for text in texts for name in names_in(text))
    for name in found:
        before = step.state.names.get(name)
        kept = before.weight * _faded(step.seq - before.seq) if before else 0.0
        step.state.names.put(name, Use(round(kept + weight, 3), step.seq))


def values(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The texts that a tool is called with."""
    for value in arguments.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from (text for each in value[:20] if isinstance(each, Mapping) for text in values(each))


def in_use(state: FoldState) -> tuple[str, ...]:
    """The names that weigh most at the state's last message."""
    ordered = sorted(state.names.items(), key=lambda item: (-item[1].weight * _faded(state.through_seq - item[1].seq), item[0]))
    return tuple(name for name, _ in ordered[:KNOWN])


def _faded(messages: int) -> float:
    return float(0.5 ** (max(0, messages) / HALF))
