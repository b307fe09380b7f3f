"""A pretended PagerDuty in this process: it opens one incident for each dedup key, as the real one does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serving import serving


class PretendedPagerDuty:
    """`incidents` are all that were ever opened, `open` those that are not resolved, by dedup key; `told` counts what came."""

    def __init__(self) -> None:
        self.incidents: list[str] = []
        self.open: dict[str, dict[str, Any]] = {}
        self.told = 0
        pretended = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                pretended.take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(202)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v2/enqueue"

    def take(self, event: dict[str, Any]) -> None:
        assert event["routing_key"] == "key"
        key = event["dedup_key"]
        self.told += 1
        if event["event_action"] == "resolve":
            self.open.pop(key, None)
            return
        assert event["event_action"] == "trigger"
        assert event["payload"]["severity"] in ("critical", "error", "warning", "info")
        assert event["payload"]["summary"] and event["payload"]["source"]
        if key not in self.open:
            self.incidents.append(key)
        self.open[key] = event["payload"]


@contextmanager
def pretended() -> Iterator[PretendedPagerDuty]:
    made = PretendedPagerDuty()
    with serving(made.server):
        yield made
