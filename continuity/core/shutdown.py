"""Whether this process is shutting down, for work without an end of its own, such as a stream."""

from __future__ import annotations

import threading
from collections.abc import Callable

_begun = threading.Event()
_told: list[Callable[[], None]] = []


def begun() -> bool:
    """Whether the process was asked to end. It still answers then, and takes nothing new."""
    return _begun.is_set()


def on_shutdown(callback: Callable[[], None]) -> None:
    """Has it called once when the process is asked to end, in the thread that is asked."""
    _told.append(callback)


def begin() -> None:
    if not _begun.is_set():
        _begun.set()
        for callback in _told:
            callback()
