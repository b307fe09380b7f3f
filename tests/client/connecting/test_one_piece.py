"""A call goes out in one piece: a server that has its headers would wait for its body."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from continuity.client.connection import Away, Connection
from continuity.client.credentials import Credentials

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


class Recording:
    """A socket that remembers what it was given to send."""

    def __init__(self, inner: socket.socket) -> None:
        self._inner, self.sent = inner, list[bytes]()

    def sendall(self, data: bytes) -> None:
        self.sent.append(bytes(data))
        self._inner.sendall(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def served(listener: socket.socket, answers: int) -> None:
    """Answers so many calls on one connection, then ends it."""
    came, _ = listener.accept()
    with came:
        for _ in range(answers):
            came.recv(65_536)
            came.sendall(ANSWER)


def test_it_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=served, args=(listener, 2))
        server.start()
        connection = Connection(Credentials(f"http://127.0.0.1:{listener.getsockname()[1]}", "key"))
        connection._http.connect()
        recording = Recording(connection._http.sock)
        connection._http.sock = recording
        assert connection.call("POST", "/events", {"events": ["ä" * 100]}) == {}
        assert connection.call("GET", "/events") == {}
        server.join(10)
        posted, asked = recording.sent
        assert posted.startswith(b"POST /api/v1/events HTTP/1.1\r\n")
        assert posted.endswith(b'\r\n\r\n{"events":["' + b"\\u00e4" * 100 + b'"]}')
        assert asked.startswith(b"GET ") and asked.endswith(b"\r\n\r\n")
        connection.close()
    with pytest.raises(Away):
        connection.call("GET", "/events")
