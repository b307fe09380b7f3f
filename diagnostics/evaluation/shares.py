"""A share that keeps its counts, so that sessions are pooled over their items and not averaged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key", bound=str)


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `total` items."""

    hits: int = 0
    total: int = 0

    @classmethod
    def of(cls, answers: Iterable[bool]) -> Share:
        told = list(answers)
        return cls(sum(told), len(told))

    def __add__(self, other: Share) -> Share:
        return Share(self.hits + other.hits, self.total + other.total)

    @property
    def value(self) -> float | None:
        """0..1 with three digits, None of no items."""
        return round(self.hits / self.total, 3) if self.total else None


def grouped(answers: Iterable[tuple[str, bool]]) -> dict[str, Share]:
    """The share of each group, in the order in which the groups appear."""
    found: dict[str, Share] = {}
    for group, answer in answers:
        found[group] = found.get(group, Share()) + Share(int(answer), 1)
    return found


def merged(all_of_them: Iterable[Mapping[Key, Share]]) -> dict[Key, Share]:
    """The shares of several sessions, added up group by group."""
    found: dict[Key, Share] = {}
    for shares in all_of_them:
        for group, share in shares.items():
            found[group] = found.get(group, Share()) + share
    return found
