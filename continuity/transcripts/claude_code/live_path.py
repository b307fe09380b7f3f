"""Finds the messages of a Claude Code session that still lead to its latest one.

Records name their parent, so a session is a tree. Most of its forks are no branches: parallel tool calls are chained one
behind the other while each result hangs from its own call, and hooks and progress hang anywhere. So the path keeps stops,
which are a prompt or all records of one answer, and everything else hangs from a stop. Only a new stop that hangs from an
earlier one than the last shows that what lay between was rewound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_KEYS = 100_000


@dataclass(slots=True)
class _Stop:
    keys: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


class LivePath:
    """The most recent stops, with at most `limit` records hanging from them; what lies further back counts as settled."""

    def __init__(self, limit: int = MAX_KEYS) -> None:
        self._limit = limit
        self._stops: list[_Stop] = []
        self._dropped = 0
        self._where: dict[str, int] = {}

    def advance(self, key: str, parent: str, message: str, *, group: str = "", calls: Iterable[str] = ()) -> tuple[str, ...]:
        """Adds a prompt or a record of an answer, and returns the messages that it shows to be rewound, in order.

        `key` and `parent` are record ids, `message` the external id, `group` the provider's id that all records of one
        answer share, `calls` the ids of the tool calls that it makes.
        """
        keys = [key, *(f"call {call}" for call in calls), *([f"answer {group}"] if group else ())]
        if group and f"answer {group}" in self._where:
            self._hang(self._where[f"answer {group}"], keys, message)
            return ()
        abandoned = self._rewind(self._where.get(parent)) if parent else ()
        self._stops.append(_Stop())
        self._hang(self._last, keys, message)
        return abandoned

    def attach(self, key: str, parent: str, message: str = "", *, calls: Iterable[str] = ()) -> None:
        """Hangs a record from its parent or from the calls that it answers, whichever stand later, else from the last stop."""
        names = [*(f"call {call}" for call in calls), parent]
        if not self._stops:
            self._stops.append(_Stop())
        self._hang(max((self._where[name] for name in names if name in self._where), default=self._last), [key], message)

    @property
    def _last(self) -> int:
        return self._dropped + len(self._stops) - 1

    def _hang(self, place: int, keys: list[str], message: str) -> None:
        stop = self._stops[place - self._dropped]
        for key in keys:
            if key:
                stop.keys.append(key)
                self._where[key] = place
        if message:
            stop.messages.append(message)
        if len(self._where) > self._limit:
            self._settle()

    def _rewind(self, place: int | None) -> tuple[str, ...]:
        """Drops the stops behind `place`. A parent that is unknown, or was itself rewound, shows nothing."""
        if place is None:
            return ()
        tail = self._stops[place + 1 - self._dropped :]
        del self._stops[place + 1 - self._dropped :]
        self._forget(tail)
        return tuple(message for stop in tail for message in stop.messages)

    def _settle(self) -> None:
        """Forgets the older half of the stops."""
        half = max(1, len(self._stops) // 2)
        self._forget(self._stops[:half])
        del self._stops[:half]
        self._dropped += half
        if not self._stops:
            self._stops.append(_Stop())

    def _forget(self, stops: Iterable[_Stop]) -> None:
        for stop in stops:
            for key in stop.keys:
                self._where.pop(key, None)
