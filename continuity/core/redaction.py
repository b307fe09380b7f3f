"""Blacking words out of text: every copy of them, or of a part that is long enough to tell them. Pure.

What is redacted keeps its length, so that all other places in the text stay what they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

REDACTED = "█"
SHORTEST = 4  # shorter words stand everywhere by chance
FRAGMENT = 12  # a sentence or line of the words that is at least so long goes by itself
RUN = 32  # so many characters in a row are a copy, wherever it was cut off
# Names of fields, ours and those of tools; any other key of a JSON object (a path, a person) is text.
_FIELD = re.compile(r"[a-z][A-Za-z0-9_]*")
_BREAK = re.compile(r"(?<=[.!?;:])\s+|(?<!\s)[^\S\n]*+\n\s*")


def redact(text: str) -> str:
    return REDACTED * len(text)


def is_redacted(text: str) -> bool:
    return not text.strip(REDACTED)


@dataclass(frozen=True)
class Redaction:
    """Words to be redacted. `exact` takes only the whole of them, `in_copies` also their sentences and long runs."""

    words: str

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The words as they are, and as they stand inside text that is itself JSON, once and twice."""
        once = _escaped(self.words)
        return tuple(sorted({self.words, once, _escaped(once), json.dumps(self.words)[1:-1]}, key=len, reverse=True))

    @cached_property
    def fragments(self) -> tuple[str, ...]:
        # Some of what is kept of words is kept in lower case, such as the names of files.
        return tuple(
            sorted(
                {*self.forms, self.words.lower(), *(part for part in _BREAK.split(self.words) if len(part) >= FRAGMENT)},
                key=len,
                reverse=True,
            )
        )

    @cached_property
    def runs(self) -> frozenset[str]:
        return frozenset(self.words[start : start + RUN] for start in range(len(self.words) - RUN + 1))

    @property
    def stored_forms(self) -> list[str]:
        """The forms as Postgres writes them when it shows JSON as text."""
        return sorted({_escaped(form) for form in self.forms})

    def exact(self, text: str) -> str:
        for form in self.forms:
            if form in text:
                text = text.replace(form, redact(form))
        return text

    def in_copies(self, text: str) -> str:
        for fragment in self.fragments:
            if fragment in text:
                text = text.replace(fragment, redact(fragment))
        return self._without_runs(text) if self.runs and len(text) >= RUN else text

    def _without_runs(self, text: str) -> str:
        pieces: list[str] = []
        kept = 0  # up to here the text is in the pieces
        for start in range(len(text) - RUN + 1):
            if text[start : start + RUN] in self.runs:
                begin = max(start, kept)
                pieces += [text[kept:begin], redact(text[begin : start + RUN])]
                kept = start + RUN
        return "".join([*pieces, text[kept:]])


def walk(value: Any, change: Any) -> Any:
    """A JSON value with `change` applied to each text in it, and to keys that are no names of fields.

    The same value where nothing changed.
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        changed = {key if _FIELD.fullmatch(key) else change(key): walk(inner, change) for key, inner in value.items()}
        return changed if changed != value else value
    if isinstance(value, list | tuple):
        listed = [walk(inner, change) for inner in value]
        return listed if listed != list(value) else value
    return value


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
