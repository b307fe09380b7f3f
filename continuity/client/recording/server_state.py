"""State of the server as the sending threads know it: whether it answers, and which sessions it refuses."""

from __future__ import annotations

import threading
from collections.abc import Callable

from continuity.client.recording.retrying import Retrying

# How often a server that is away is asked whether it is back: cheap, and at most so late is it noticed.
LOOKS = (1.0, 2.0, 4.0, 5.0)


class ServerState:
    """The server has a back-off of its own, and each session one: a session with trouble never keeps the others waiting.

    `is_ready` asks the server. `version` is the server's, as it said last.
    """

    def __init__(self, is_ready: Callable[[], bool]) -> None:
        self._is_ready = is_ready
        self._lock = threading.Lock()
        self._server = Retrying()
        self._looks = Retrying()
        self._sessions: dict[str, Retrying] = {}
        self._blind = False
        self.version = ""

    @property
    def away(self) -> bool:
        return self._server.away

    @property
    def refuses(self) -> bool:
        """Whether the server is there and refuses us, which no waiting mends."""
        return self._server.away and self._blind

    def wait(self, session: str) -> float:
        """Seconds until the session may be tried; 0 where it is due."""
        with self._lock:
            own = self._sessions.get(session)
            return max(self._server.wait, own.wait if own else 0.0)

    def is_troubled(self, session: str) -> bool:
        with self._lock:
            own = self._sessions.get(session)
            return own is not None and own.away

    def succeeded(self, session: str) -> bool:
        """The session's batch went. Returns whether the server had been away."""
        with self._lock:
            self._sessions.pop(session, None)
            return self._back()

    def put_off(self, session: str, seconds: float) -> None:
        """Another process sends this session now."""
        with self._lock:
            self._sessions.setdefault(session, Retrying()).put_off(seconds)

    def failed(self, session: str, reason: str, *, server: bool = False, look: bool = True) -> float:
        """The session alone failed, or with it the server as a whole (`server`). Returns the seconds until the next attempt.

        Without `look` it is no use to ask whether the server is back, since it is there.
        """
        with self._lock:
            if server and self._server.wait:
                return self._server.wait  # Another thread found out in the same moment.
            each = self._server if server else self._sessions.setdefault(session, Retrying())
            each.failed(reason)
            self._blind = server and not look
            return each.wait

    def is_there(self) -> bool:
        """Asks the server whether it is ready."""
        return self._is_ready()

    def look(self) -> bool:
        """Where the server is away: asks it again, at most every few seconds. Returns whether it came back; then all is due at once."""
        with self._lock:
            if not self._server.away or self._blind or self._looks.wait:
                return False
            self._looks.put_off(LOOKS[min(self._looks.failures, len(LOOKS) - 1)])
            self._looks.failures += 1
        if not self._is_ready():
            return False
        with self._lock:
            return self._back()

    def _back(self) -> bool:
        if not self._server.away:
            return False
        self._server.succeeded()
        self._looks.succeeded()
        for each in self._sessions.values():
            each.put_off(0.0)
        return True
