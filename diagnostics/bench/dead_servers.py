"""Servers that are away, as hooks meet them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

SILENT = "never answers"


@contextmanager
def dead_servers() -> Iterator[dict[str, str]]:
    """Addresses of servers that are away in three ways, on loopback."""
    with ExitStack() as stack:

        def listening(backlog: int) -> int:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=backlog))
            return int(server.getsockname()[1])

        with socket.create_server(("127.0.0.1", 0)) as closed:
            refusing = int(closed.getsockname()[1])
        silent, swallowing = listening(1000), listening(0)
        for _ in range(4):  # A full queue: what comes now is dropped without an answer.
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", swallowing))
        ports = {"refuses": refusing, SILENT: silent, "is a black hole": swallowing}
        yield {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
