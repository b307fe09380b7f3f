"""Until when the work at hand may go on: whoever waits for something asks how long it still may. Pure."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Deadline:
    """A point in time of the monotonic clock, in seconds; it may be moved while the work goes on."""

    at: float

    def left(self) -> float:
        """Seconds until then; negative afterwards."""
        return self.at - time.monotonic()


deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def remaining_seconds(otherwise: float) -> float:
    """Seconds that the work at hand still has, 0 where its time is over; `otherwise` where it has no deadline."""
    current = deadline.get()
    return otherwise if current is None else max(0.0, current.left())


def extend(seconds: float) -> None:
    """Gives the work at hand so many seconds more, where it has a deadline."""
    current = deadline.get()
    if current is not None:
        current.at += seconds


@contextmanager
def within(seconds: float) -> Iterator[Deadline]:
    """Work that has so many seconds from now on, whatever the work around it has."""
    made = Deadline(time.monotonic() + seconds)
    token = deadline.set(made)
    try:
        yield made
    finally:
        deadline.reset(token)


@contextmanager
def at_most(seconds: float) -> Iterator[Deadline]:
    """Work that has so many seconds from now on, or what the work around it still has where that is less."""
    with within(min(seconds, remaining_seconds(seconds))) as made:
        yield made
