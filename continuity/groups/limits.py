"""The limits of a group: how long agents talk among themselves, how fast, and for how long one may hold the turn (FR-020). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from continuity.groups.model import PastTurn

# Of each limit: the least and the most that it can be set to.
BOUNDS: Mapping[str, tuple[int, int]] = {
    "turns": (1, 1000),
    "seconds": (10, 86_400),
    "tokens": (100, 10_000_000),
    "in_a_row": (1, 10),
    "gap_ms": (1000, 60_000),
    "lease_seconds": (2, 600),
    "advice_ms": (0, 10_000),
}


class BadLimit(ValueError):
    """A limit that can't be; the message says why."""


@dataclass(frozen=True, slots=True)
class GroupLimits:
    """`turns`, `seconds` and `tokens` count from the latest message of a person: then a person has to say how it goes on. `gap_ms` passes
    between two selections at least; `lease_seconds` is how long the turn is held without a word; `advice_ms` is how long a selection waits
    for a model that was asked ahead."""

    turns: int = 40
    seconds: int = 3600
    tokens: int = 200_000
    in_a_row: int = 3
    gap_ms: int = 1000
    lease_seconds: int = 30
    advice_ms: int = 100

    @classmethod
    def of(cls, given: Mapping[str, object]) -> GroupLimits:
        """The limits given, and defaults. Raises BadLimit."""
        known = {each.name for each in fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise BadLimit(f"There is no limit {name[:40]!r}: they are {', '.join(BOUNDS)}")
            least, most = BOUNDS[name]
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise BadLimit(f"The limit {name} is a whole number from {least:,} to {most:,}")
        return cls(**{name: value for name, value in given.items() if isinstance(value, int)})

    @property
    def gap(self) -> timedelta:
        return timedelta(milliseconds=self.gap_ms)

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.lease_seconds)

    @property
    def advice(self) -> timedelta:
        return timedelta(milliseconds=self.advice_ms)


def reached(limits: GroupLimits, *, turns: int, tokens: int, since: datetime, now: datetime) -> str:
    """Which limit is reached, in words; empty where none is. `since` is when a person spoke last."""
    if turns >= limits.turns:
        return f"{limits.turns:,} turns since a person spoke"
    if tokens >= limits.tokens:
        return f"{limits.tokens:,} tokens since a person spoke"
    if (now - since).total_seconds() >= limits.seconds:
        return f"{limits.seconds:,} seconds since a person spoke"
    return ""


def alternates(past: Sequence[PastTurn]) -> bool:
    """Whether two took turns twice, A-B-A-B, and the second time neither said anything new."""
    last = past[-4:]
    if len(last) < 4:
        return False
    a, b, again, once_more = last
    same = a.speaker == again.speaker and b.speaker == once_more.speaker and a.speaker != b.speaker
    return same and not again.news and not once_more.news


def has_nothing_new(past: Sequence[PastTurn], *, there: int) -> bool:
    """Whether as many turns in a row as agents are there (two at least) brought nothing new."""
    last = past[-max(2, there) :]
    return len(last) >= max(2, there) and not any(turn.news for turn in last)


def remaining_wait(limits: GroupLimits, *, selected_at: datetime | None, now: datetime) -> timedelta:
    """What is left until the next selection may be made: never more than the gap, whatever a clock says."""
    if selected_at is None:
        return timedelta(0)
    return min(max(selected_at + limits.gap - now, timedelta(0)), limits.gap)


def remaining_lease(limits: GroupLimits, *, until: datetime, now: datetime) -> timedelta:
    """What is left of a lease: never more than a whole one, whatever a clock says."""
    return min(max(until - now, timedelta(0)), limits.lease)
