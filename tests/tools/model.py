"""A model server on loopback, for real tools: it answers every message with the same words, and keeps what it was asked.

What each maker's server answers is in `dialects`. While it `hangs`, an answer stops in its middle.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.tools import dialects

SAID = "The tide page is built."


class _Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.server.asked.append(asked)
        command, used = self.server.command, self.server.used
        call = dialects.shell_call(asked, command, used) if command else None
        made = call or dialects.answer(self.path, asked, SAID, used)
        if made is None:
            self.send_error(404)
        elif made[0] == dialects.STREAM and self.server.hangs:
            self._hang(made[1])
        else:
            self._send(*made)

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _hang(self, told: bytes) -> None:
        """The first two events, and then nothing until the asker is gone."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"".join(event + b"\n\n" for event in told.split(b"\n\n")[:2]))
        self.wfile.flush()
        self.server.in_the_middle.set()
        self.server.ended.wait()

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Model(ThreadingHTTPServer):
    """`asked` are the bodies of all requests, in order; each is said to have had `used` tokens. With a `command` it has that run before
    it answers, where it speaks OpenAI's way."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.hangs, self.used, self.command = False, 1000, ""
        self.in_the_middle, self.ended = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def running() -> Iterator[Model]:
    model = Model()
    thread = threading.Thread(target=model.serve_forever)
    thread.start()
    try:
        yield model
    finally:
        model.ended.set()
        model.shutdown()
        thread.join()
        model.server_close()
