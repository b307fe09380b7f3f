"""Which events a subscriber handled already (FR-011a): a bounded cache of its acknowledgements, found in constant time. Pure."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime

MEGABYTE = 1024 * 1024
WARNING_BYTES = 100 * MEGABYTE
# One entry: a key of 36 characters, a time, and what a dictionary with an order takes for both.
ENTRY_BYTES = 320


class ProcessedRegistry:
    """For each subscriber the events that it handled, the last `size` of them. Not for several threads at once.

    Where all together take more than `warning_bytes`, subscribers keep half as many each, until there is room again.
    """

    def __init__(self, size: int = 10_000, *, warning_bytes: int = WARNING_BYTES) -> None:
        self._size, self._warning_bytes = size, warning_bytes
        self._known: dict[str, OrderedDict[str, datetime]] = {}
        self._entries = 0

    @property
    def memory_mb(self) -> float:
        return self._entries * ENTRY_BYTES / MEGABYTE

    @property
    def is_large(self) -> bool:
        return self._entries * ENTRY_BYTES > self._warning_bytes

    def __len__(self) -> int:
        return self._entries

    def knows(self, subscriber: str, event: str) -> bool:
        """Whether the subscriber handled the event, as far as is remembered; looking makes it the one used last."""
        known = self._known.get(subscriber)
        if known is None or event not in known:
            return False
        known.move_to_end(event)
        return True

    def record(self, subscriber: str, event: str, at: datetime) -> None:
        known = self._known.setdefault(subscriber, OrderedDict())
        self._entries += event not in known
        known[event] = at
        known.move_to_end(event)
        room = self._size // 2 if self.is_large else self._size
        while len(known) > max(1, room):
            known.popitem(last=False)
            self._entries -= 1

    def purge(self, before: datetime) -> int:
        """Forgets what was handled before a time. Returns how many entries went."""
        gone = 0
        for subscriber, known in list(self._known.items()):
            old = [event for event, at in known.items() if at < before]
            for event in old:
                del known[event]
            gone += len(old)
            if not known:
                del self._known[subscriber]
        self._entries -= gone
        return gone
