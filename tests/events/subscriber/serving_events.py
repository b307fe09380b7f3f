"""The bus for a client in this process: the services behind a small server, which can be kept from taking acknowledgements."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from django.db import connection
from django.utils import timezone

from continuity.client.events import Subscriber
from continuity.live import event_json, wire
from continuity.models import Team
from continuity.services.subscriptions import acknowledging, event_delivery, subscriptions
from continuity.services.subscriptions.acknowledging import AckOutcome, ReportedOutcome
from tests.serving import serving

_OF_ONE = re.compile(r".*/subscriptions/([0-9a-f-]{36})/(\w+)")


class Bus(ThreadingHTTPServer):
    """`away`: acknowledgements are answered with 503. `acks` are those that came, also then."""

    daemon_threads = True

    def __init__(self, team: Team) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.team, self.away, self.over = team, False, False
        self.acks: list[dict[str, Any]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def subscriber(self, name: str, lease: float) -> Subscriber:
        return Subscriber(name, policy="full", url=self.url, key="none", lease=lease)


class _Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Bus

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        try:
            status, told = self._post(body)
        finally:
            connection.close()
        sent = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def _post(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        team, now, named = self.server.team, timezone.now(), _OF_ONE.fullmatch(self.path)
        if named is None:
            found, _ = subscriptions.subscribe(team=team, name=body["name"], pattern=body["pattern"], policy=body["policy"])
            return 201, {"id": str(found.id)}
        id = UUID(named[1])
        if named[2] == "begin":
            begun = subscriptions.begin(team=team, subscription_id=id, now=now)
            return 200, {"epoch": begun.epoch, "gap": begun.gap}
        self.server.acks += body["acks"]
        if self.server.away:
            return 503, {"code": "unavailable", "detail": "Away"}
        told = [ReportedOutcome(UUID(each["event_id"]), AckOutcome(each["outcome"]), each.get("error", "")) for each in body["acks"]]
        how: dict[str, Any] = {"epoch": body["epoch"], "lease": timedelta(seconds=body["lease"])}
        acknowledging.acknowledge(team=team, subscription_id=id, told=told, now=now, **how)
        return 200, {}

    def do_GET(self) -> None:
        named, query = _OF_ONE.fullmatch(urlsplit(self.path).path), parse_qs(urlsplit(self.path).query)
        assert named is not None
        self.close_connection = True
        self.send_response(200)
        self.end_headers()
        how: dict[str, Any] = {"epoch": int(query["epoch"][0]), "lease": timedelta(seconds=float(query["lease"][0]))}
        try:
            while not self.server.over:
                now = timezone.now()
                taken = event_delivery.take(team=self.server.team, subscription_id=UUID(named[1]), now=now, **how)
                rows = [event_json.frame(event_json.as_json(item, now)) for item in taken.items]
                self.wfile.write(b"".join(rows) or wire.HEARTBEAT)
                time.sleep(0.05)
        except OSError:
            pass  # The client has gone.
        finally:
            connection.close()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def bus(team: Team) -> Iterator[Bus]:
    made = Bus(team)
    with serving(made):
        try:
            yield made
        finally:
            made.over = True
