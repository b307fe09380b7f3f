"""What earlier sessions learned, as packs show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """A rule that a person laid down, or a landmine: an approach that failed, a correction. `files` are those that it is about, `session`
    and `seq` the message that says it, `at` when (seconds since 1970)."""

    text: str
    landmine: bool
    session: str
    seq: int
    at: float = 0.0
    files: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        return f"{self.session}#m{self.seq}"


@dataclass(frozen=True, slots=True)
class Failing:
    """A check that failed last in the latest session."""

    check: str
    said: str
    reference: str
