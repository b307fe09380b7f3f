"""A receiver of webhooks in this process: it keeps what it gets, and answers as a test wants."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serving import serving

Answering = Callable[[BaseHTTPRequestHandler], None]


def accept(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(204)
    handler.end_headers()


def refuse(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(500)
    handler.end_headers()


def redirect(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://127.0.0.1:1/inside")
    handler.end_headers()


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """A byte at a time, for ever."""
    for _ in range(600):
        handler.wfile.write(b"x")
        time.sleep(0.05)


def flood(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(160):
        handler.wfile.write(b"x" * 65_536)


class Receiver:
    def __init__(self, answering: Answering) -> None:
        self.answering = answering
        self.got: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers.items()), body))
                try:
                    receiver.answering(self)
                except OSError:
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"


@contextmanager
def receiver(answering: Answering = accept) -> Iterator[Receiver]:
    made = Receiver(answering)
    with serving(made.server):
        yield made
