"""Writes that the server does not have yet: on disk, in order, until it took them or refused them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from continuity.client import places
from continuity.client.recording.spool import Spool
from continuity.client.shared_state.change import StateChange

logger = logging.getLogger("continuity.client.states")

# More than anybody writes while a server is away; what is above is refused at once.
LIMIT_BYTES = 64 * 2**20


class WaitingWrites:
    """The waiting writes of one owner's states at one server. Several processes may use them; one of them sends at a time.

    Raises `Full` (recording/spool.py) where there is no room for another one.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._spool = Spool(folder or places.folder("states"), LIMIT_BYTES)
        self._name = places.key_of(name)

    def add(self, change: StateChange) -> None:
        """On disk when it returns."""
        self._spool.add(self._name, change.as_json())

    def all(self) -> list[tuple[Path, StateChange]]:
        """All waiting writes, in their order; what can't be read is told of, and left where it is."""
        found = []
        for path in self._spool.pending(self._name):
            told: dict[str, Any] = places.read_object(path)
            try:
                found.append((path, StateChange.from_json(told)))
            except (KeyError, TypeError, ValueError):
                if path.exists():  # Sent by another process meanwhile.
                    logger.error("A write of shared state that waits can't be read: %s", path)
        return found

    def replace(self, path: Path, change: StateChange) -> None:
        """Another change in the place of one that waits, whole or not at all."""
        places.write(path, json.dumps(change.as_json()))

    def done(self, path: Path) -> None:
        self._spool.done(path)

    @contextmanager
    def sending(self) -> Iterator[bool]:
        """Whether this thread is the one that sends now."""
        with self._spool.sending(self._name) as mine:
            yield mine
