"""Server-sent events as they come over a connection."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode, urlsplit

from continuity.client.connection import ROOT, answer_of, headers_of
from continuity.client.credentials import Credentials

# Stands for the heartbeat of a stream among the names of its events.
ALIVE = ":"
AT_ONCE = 65_536
# Heartbeats come every 15 seconds: a stream that is silent for longer is dead.
SILENT_SECONDS = 40.0


class EventStream:
    """A stream that one thread reads, and any other may end."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._socket: socket.socket | None = None

    def frames(self, path: str, query: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Opens it; as `frames`, until it ends. Raises Refused, Away, OSError and HTTPException."""
        parts = urlsplit(self._credentials.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=SILENT_SECONDS)
        target = f"{parts.path.rstrip('/')}{ROOT}{path}?{urlencode(query)}"
        try:
            connection.request("GET", target, headers=headers_of(self._credentials, "text/event-stream"))
            self._socket = connection.sock  # Where the server closes after its answer, the connection lets go of it at once.
            answer = connection.getresponse()
            if answer.status != 200:
                answer_of(answer.status, answer.headers.get("Content-Type", ""), answer.read())
            yield from frames(answer)
        finally:
            connection.close()

    def cut(self) -> None:
        """Ends it under its reader, who closes it: a file that is closed while another thread reads it breaks there."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


def frames(answer: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    """Each event of a stream: its name, and its data; and each sign of life."""
    kind, data = "", ""
    for line in _lines(answer):
        text = line.decode().rstrip("\r")
        if not text:
            if data:
                yield kind, json.loads(data)
            kind, data = "", ""
        elif text.startswith(":"):
            yield ALIVE, None
        elif text.startswith("event: "):
            kind = text[7:]
        elif text.startswith("data: "):
            data = text[6:]


def _lines(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """Each as soon as it is whole. The response is asked for pieces: asked for lines, it would take several times as long."""
    parts: list[bytes] = []
    while piece := answer.read1(AT_ONCE):
        first, *others = piece.split(b"\n")
        parts.append(first)
        if others:
            yield b"".join(parts)
            yield from others[:-1]
            parts = [others[-1]]
