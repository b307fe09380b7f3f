"""The server's calls for the states of one owner."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from continuity.client.connection import Connection
from continuity.client.credentials import Credentials

ANSWER_SECONDS = 15.0


class StateCalls:
    """Each call raises Away and Refused. For any thread: each has a connection of its own."""

    def __init__(self, chosen: Credentials, scope: str, owner: str) -> None:
        self._credentials, self.scope, self.owner = chosen, scope, owner
        self._own = threading.local()

    def changes(self, since: int, generation: int | None) -> dict[str, Any]:
        query: dict[str, Any] = {"scope": self.scope, "owner": self.owner, "since": since}
        query |= {} if generation is None else {"generation": generation}
        return dict(self._call("GET", "/states/changes", query=query))

    def read(self, key: str) -> dict[str, Any]:
        return dict(self._call("GET", self._path(key)))

    def put(self, key: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return dict(self._call("PUT", self._path(key), dict(body)))

    def remove(self, key: str, query: Mapping[str, Any]) -> dict[str, Any]:
        return dict(self._call("DELETE", self._path(key), query=dict(query)))

    def _path(self, key: str) -> str:
        return f"/states/{self.scope}/{quote(self.owner, safe='')}/{quote(key, safe='')}"

    def _call(self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None) -> Any:
        known: Connection | None = getattr(self._own, "connection", None)
        if known is None:
            known = self._own.connection = Connection(self._credentials, answer=ANSWER_SECONDS)
        return known.call(method, path, body, query=query)
