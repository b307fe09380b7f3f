"""A handoff note: the outgoing agent's own words, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class HandoffNote:
    """Each part is a list of short statements, one line each, unable to look like a part of a directive (`form.read` makes them so)."""

    request: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    broken_approaches: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()

    def statements(self) -> Iterator[tuple[str, str]]:
        """Part and words of each statement, in order."""
        for field in fields(self):
            for text in getattr(self, field.name):
                yield field.name, text
