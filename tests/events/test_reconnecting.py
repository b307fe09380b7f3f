"""How soon the client comes again after its stream ended."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from continuity.client.events import Subscriber
from continuity.live import wire
from tests.serving import serving


class Streams(ThreadingHTTPServer):
    """Answers each stream with `body` and ends it; notes when each began."""

    daemon_threads = True

    def __init__(self, body: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.body, self.begun = body, list[float]()
        self.enough = threading.Event()


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Streams)
        self.server.begun.append(time.monotonic())
        if len(self.server.begun) == 4:
            self.server.enough.set()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_: object) -> None:
        pass


PROBLEM = b'retry: 10000\nevent: problem\ndata: {"status": 503, "code": "unavailable", "detail": "Away"}\n\n'


@pytest.mark.parametrize(
    ("body", "soon"),
    [
        (wire.opening(retry_seconds=1) + wire.HEARTBEAT, True),
        # A server that is away says so at once: whoever came again at once would only keep it from recovering.
        (wire.opening(retry_seconds=1) + PROBLEM, False),
    ],
)
def test_it_works(body: bytes, soon: bool) -> None:
    """After a quiet stream the next begins at once."""
    there = Streams(body)
    subscriber = Subscriber("quiet", url=f"http://127.0.0.1:{there.server_address[1]}", key="none")
    listening = threading.Thread(target=subscriber._listen)
    with serving(there):
        listening.start()
        assert there.enough.wait(20)
        subscriber.stop()
        listening.join(20)
    pauses = [after - before for before, after in zip(there.begun, there.begun[1:], strict=False)]
    assert (max(pauses[:3]) < 0.9) == soon
