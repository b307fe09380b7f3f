"""Alerts that a channel refused: each is tried again by itself, less and less often, and slows down no other. Pure."""

from __future__ import annotations

from collections.abc import Set
from datetime import datetime, timedelta
from uuid import UUID

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(hours=1)


class Refusals:
    """The alerts that one channel refused, as this process knows. Not for several threads at once."""

    def __init__(self) -> None:
        self._times: dict[UUID, int] = {}
        self._again: dict[UUID, datetime] = {}

    @property
    def known(self) -> Set[UUID]:
        return self._times.keys()

    def due(self, now: datetime) -> Set[UUID]:
        """Those that may be told again."""
        return {id for id, at in self._again.items() if at <= now}

    def note(self, id: UUID, now: datetime) -> bool:
        """Notes that it was refused: it is due again after 1, 2, 4 … minutes, at most an hour. Whether this is the first time."""
        times = self._times[id] = self._times.get(id, 0) + 1
        self._again[id] = now + min(LONGEST, SHORTEST * 2 ** min(times - 1, 6))
        return times == 1

    def forget(self, id: UUID) -> None:
        self._times.pop(id, None)
        self._again.pop(id, None)
