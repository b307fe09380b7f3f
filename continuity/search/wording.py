"""From a message to the words of the index.

Everything that is no letter or digit divides: `foo_bar.py` is the words foo, bar, py in a row, and is found whole as those three
next to each other, and by each. Words in camel case stand there whole and, behind the text, by their humps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LIMIT = 200_000  # bytes of a message; Postgres refuses a vector of more than a megabyte
LONGEST = 100  # a longer "word" is no word: a digest, an encoded file
# Postgres keeps places up to 16,383: of what stands later, compounds are also kept in one piece.
PLACES = 16_000
JOINED = "ǃ"  # a letter that no text holds

WORD = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]+(?:[^\w\s]{1,2}[^\W_]+|_+[^\W_]+)+")
_CAMEL = re.compile(r"\b[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*\b")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words_of_parts(parts: Sequence[Mapping[str, Any]]) -> str:
    """The words by which a message is found: its texts, the names of the tools that it calls and what they are given."""
    return "\n".join(filter(None, (_words(part) for part in parts)))


def _words(part: Mapping[str, Any]) -> str:
    if part.get("kind") == "tool_call":
        return " ".join([str(part.get("name", "")), *_strings(part.get("input", {}))])
    return str(part.get("text", ""))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif value is not None:
        yield str(value)


def indexed(text: str) -> str:
    """The words of `text` in lower case, divided by spaces, in the form that the index takes; of the first 200 KB."""
    if len(text) * 4 > LIMIT:
        text = text.encode("utf-8", "ignore")[:LIMIT].decode("utf-8", "ignore")
    words = [word for word in WORD.findall(text) if len(word) <= LONGEST]
    more = [hump for camel in dict.fromkeys(_CAMEL.findall(text)) if len(camel) <= LONGEST for hump in _HUMP.findall(camel)]
    if len(words) > PLACES:
        more += [whole for each in dict.fromkeys(_COMPOUND.findall(text)) if len(whole := joined(WORD.findall(each))) <= LONGEST]
    return " ".join([*words, *dict.fromkeys(more)]).lower()


def tool_word(name: str) -> str:
    """The word by which the calls of a tool are found; it stands in no text."""
    return joined(["tool", *WORD.findall(name.lower())])


def tools_of(parts: Sequence[Mapping[str, Any]]) -> list[str]:
    """The words of the tools that a message calls."""
    return sorted({tool_word(str(part.get("name", ""))) for part in parts if part.get("kind") == "tool_call"})


def joined(words: Sequence[str]) -> str:
    return JOINED.join(words)
