"""Publishing events from Python: one at a time or many, sent again until the server has them. Standard library only."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from continuity.client.connection import Away, Connection, Refused
from continuity.client.credentials import Credentials

AT_ONCE = 100
PAUSES = (0.1, 0.5, 1.0, 2.0, 5.0)


class Publisher:
    """Publishes as `agent`, from any thread; each thread keeps a connection of its own open."""

    def __init__(self, credentials: Credentials, agent: str = "") -> None:
        self._credentials, self._agent = credentials, agent
        self._own = threading.local()

    def publish(self, events: Sequence[Mapping[str, Any]], *, patience: float) -> list[str]:
        """Publishes events (`topic`, and `payload`, `critical`, `conversation_id`), at most 100 at once, all or none of those; gives their
        ids. Each is stored once, however often it is sent. Raises Refused, and Away where the server was away for `patience` seconds."""
        named = [{"id": str(uuid4()), **event} for event in events]
        until = time.monotonic() + patience
        for first in range(0, len(named), AT_ONCE):
            self._send({"events": named[first : first + AT_ONCE], "agent": self._agent}, until)
        return [event["id"] for event in named]

    def _send(self, body: Mapping[str, Any], until: float) -> None:
        for pause in pauses():
            try:
                self._connection().call("POST", "/events", body)
                return
            except (Away, Refused) as error:
                if not may_heal(error) or time.monotonic() + pause > until:
                    raise
            time.sleep(pause)

    def _connection(self) -> Connection:
        known: Connection | None = getattr(self._own, "connection", None)
        if known is None:
            known = self._own.connection = Connection(self._credentials)
        return known


def may_heal(error: Exception) -> bool:
    """Whether the same call may succeed later."""
    return isinstance(error, Away) or (isinstance(error, Refused) and error.status >= 500)


def pauses() -> Iterator[float]:
    """Seconds to wait before each further try, without end."""
    yield from PAUSES
    while True:
        yield PAUSES[-1]
