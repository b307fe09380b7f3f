"""Lessons of earlier sessions and demands of instruction files, as packs show them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """A rule that a person laid down, or a landmine: an approach that failed, a correction. `files` are those that it is about, `session`
    and `seq` the message that says it."""

    text: str
    landmine: bool
    session: str
    seq: int
    files: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        return f"{self.session}#m{self.seq}"


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule that stands at a line (from 1) of an instruction file."""

    text: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Failing:
    """A check that failed last in the latest session."""

    check: str
    said: str
    reference: str
