"""A pretended PagerDuty in this process: it opens one incident for each dedup key, as the real one does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.utils import timezone

from diagnostics.alerting import channels
from diagnostics.watches import PendingAlerts
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


def until_sent() -> None:
    """Waits until every channel has done with what was given to it."""
    for name in channels.CHANNELS:
        done = threading.Event()
        channels.in_background(name, done.set)
        assert done.wait(60)


def until_told() -> None:
    """Tells the channels of all that is stored, as a monitor does that has just begun."""
    PendingAlerts()(timezone.now())
    until_sent()


@contextmanager
def hanging() -> Iterator[tuple[str, threading.Event, threading.Event]]:
    """A server that takes a request and answers it only when it is let go: its address, that it was asked, and what lets go."""
    asked, let_go = threading.Event(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.set()
            let_go.wait(60)
            self.send_response(202)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(server):
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/", asked, let_go
        finally:
            let_go.set()
            until_sent()
