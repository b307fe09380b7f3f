"""The site's pages, a little at a time, as a slow line or a busy machine brings them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx2

# Short enough that a browser draws what has come between two of them: a row of a table takes about two.
PIECE_BYTES, PAUSE_SECONDS = 500, 0.03
NOT_PASSED_ON = ("connection", "content-length", "transfer-encoding", "content-encoding", "host", "accept-encoding", "date", "server")


@contextmanager
def slowed(address: str) -> Iterator[str]:
    """The address of a server on loopback that passes on what the one at `address` answers: pages slowly, all else at once."""

    class Passing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/live"):
                self.send_error(204)  # ends an event stream for good
                return
            answer = httpx2.get(f"{address}{self.path}", headers=_passed(self.headers.items()), timeout=60)
            self.send_response(answer.status_code)
            for name, value in _passed(answer.headers.items()).items():
                self.send_header(name, value)
            self.end_headers()
            is_page = answer.headers.get("content-type", "").startswith("text/html")
            size = PIECE_BYTES if is_page else len(answer.content) + 1
            for start in range(0, len(answer.content), size):
                self.wfile.write(answer.content[start : start + size])
                time.sleep(PAUSE_SECONDS if is_page else 0)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Passing)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _passed(headers: object) -> dict[str, str]:
    return {name: value for name, value in headers if name.lower() not in NOT_PASSED_ON}  # type: ignore[attr-defined]
