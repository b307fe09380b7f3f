"""Threads of which the first free one takes what comes: calls that come one by one always meet the same thread.

Of a pool's threads the one takes its turn that rested longest. With seconds between two calls each of them, its connection and the server's
process behind that have then left the processor's caches, and a call costs twice what it costs where all of it was used just before.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

from continuity.services.jobs import broker


class Lanes:
    """`count` threads. What finds all of them busy waits behind whichever has least to do."""

    def __init__(self, count: int, name: str) -> None:
        names = [f"{name}-{number}" for number in range(count)]
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix=each, initializer=broker.keep_own_connection) for each in names]
        self._at_hand = [0] * count
        self._lock = Lock()

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        with self._lock:
            lane = self._at_hand.index(min(self._at_hand))
            self._at_hand[lane] += 1
        begun = self._threads[lane].submit(self._done, lane, work, *given)
        begun.add_done_callback(lambda ended: self._over(lane) if ended.cancelled() else None)
        return begun

    def _done(self, lane: int, work: Callable[..., Any], *given: Any) -> Any:
        """Frees the lane before anybody hears that the call is over."""
        try:
            return work(*given)
        finally:
            self._over(lane)

    def _over(self, lane: int) -> None:
        with self._lock:
            self._at_hand[lane] -= 1
