"""The registry of handled events of one process (FR-011a): a cache of acknowledgements, of which the rows are the truth.

It says when it grows too large, and once an hour forgets what is older than events are kept, also where nobody acknowledges any more.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from continuity.events.processed_registry import ENTRY_BYTES, WARNING_BYTES, ProcessedRegistry

logger = logging.getLogger("continuity.events")

PURGE_SECONDS = 3600.0


class HandledEvents:
    """A registry of `size` events of each subscriber, for several threads; beyond `warning_bytes` in all it warns, and keeps half as many.

    `kept` is how long events are kept, `purge_seconds` how often what is older is forgotten.
    """

    def __init__(
        self,
        size: int,
        *,
        kept: Callable[[], timedelta],
        warning_bytes: int = WARNING_BYTES,
        purge_seconds: float = PURGE_SECONDS,
    ) -> None:
        self._registry = ProcessedRegistry(size, warning_bytes=warning_bytes)
        self._kept, self._warning_bytes, self._purge_seconds = kept, warning_bytes, purge_seconds
        self._lock = threading.Lock()
        self._purging: threading.Timer | None = None
        self._warned = False

    @property
    def memory_mb(self) -> float:
        return self._registry.memory_mb

    def among(self, subscriber: str, ids: Iterable[UUID]) -> set[UUID]:
        """The events among these that the subscriber handled, as far as is remembered."""
        with self._lock:
            return {id for id in ids if self._registry.knows(subscriber, str(id))}

    def add(self, subscriber: str, ids: Collection[UUID], now: datetime) -> None:
        """Remembers that the subscriber handled them; warns where the registry becomes too large, once until a purge finds it is not."""
        if not ids:
            return
        with self._lock:
            warns = False
            for id in ids:
                warns = warns or (len(self._registry) + 1) * ENTRY_BYTES > self._warning_bytes  # It makes room as it takes one more.
                self._registry.record(subscriber, str(id), now)
            warns, self._warned = warns and not self._warned, self._warned or warns
            told = self._measured()
            if self._purging is None or not self._purging.is_alive():  # Of a process that was forked off none is.
                self._purge_later()
        if warns:
            logger.warning(
                "The registry of handled events is too large: it keeps half as many of each subscriber", extra={"metadata": told}
            )

    def purge(self, *, now: datetime) -> int:
        """Forgets what is older than events are kept. Returns how many went."""
        with self._lock:
            gone = self._registry.purge(now - self._kept())
            self._warned = large = self._registry.is_large
            told = {"purged": gone, **self._measured()}
        level = logging.WARNING if large else logging.INFO
        logger.log(level, "Handled events that are older than the log were forgotten", extra={"metadata": told})
        return gone

    def _measured(self) -> dict[str, float]:
        return {"kept": len(self._registry), "megabytes": round(self.memory_mb, 2)}

    def _purge_later(self) -> None:
        """The caller holds the lock."""
        self._purging = threading.Timer(self._purge_seconds, self._purge_and_go_on)
        self._purging.daemon = True
        self._purging.start()

    def _purge_and_go_on(self) -> None:
        self.purge(now=timezone.now())
        with self._lock:
            self._purging = None
            if len(self._registry):
                self._purge_later()
