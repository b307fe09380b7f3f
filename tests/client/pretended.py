"""A server on loopback that takes messages as ours does, and can fail in the ways that ours, or one before it, may fail."""

from __future__ import annotations

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OK, FAULT, AWAY, HANG, CLOSE, REFUSE = "ok", "fault", "away", "hang", "close", "refuse"


class Pretended(ThreadingHTTPServer):
    """`sessions` says how requests for a session end; messages whose external id is in `poison` make their batch end with 500.

    `stored` holds what was taken of each session in order: external id and text, None where a placeholder holds the place.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.sessions: dict[str, str] = {}
        self.poison: set[str] = set()
        self.stored: dict[str, dict[str, str | None]] = {}
        self.asked: Counter[str] = Counter()
        self.version = "1"
        self.held: str | None = None
        self.reading: tuple[int, Any] = (200, {"items": [], "next_cursor": None})  # what any question is answered
        self.ready = True
        self.going = threading.Event()  # set where the server ends, for answers that hang
        self.lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=[0.05], daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def end(self) -> None:
        self.going.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that were killed or lost their patience are part of the play."""

    def take(self, session: str, messages: list[dict[str, Any]]) -> int:
        """Stores what is new; the status."""
        with self.lock:
            self.asked[session] += 1
            if any(message["external_id"] in self.poison and not message.get("placeholder") for message in messages):
                return 500
            kept = self.stored.setdefault(session, {})
            for message in messages:
                name = message["external_id"]
                text = None if message.get("placeholder") else "".join(part.get("text", "") for part in message["parts"])
                kept[name] = kept.get(name) or text
            return 201


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Pretended

    def do_GET(self) -> None:
        if self.path == "/ready":
            self.tell(200 if self.server.ready else 503, {"ready": self.server.ready})
        else:
            held = self.path.endswith("/decision")
            self.tell(*(self.server.reading if not held else (200, {"utilization": 0.1, "held": None, "handoff_id": "h1"})))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.server.ready:
            self.tell(503, {"detail": "not now"})
            return
        if self.path.endswith("/conversations"):
            self.tell(201, {"id": body["external_id"]})
            return
        session = self.path.split("/")[-2]
        how = self.server.sessions.get(session, OK)
        if how == HANG:
            self.server.going.wait(60)
        if how in (HANG, CLOSE):
            self.close_connection = True
            return
        status = {FAULT: 500, AWAY: 503, REFUSE: 422}.get(how) or self.server.take(session, body["messages"])
        if status == 201:
            decision = {"utilization": 0.1, "should_handoff": False, "held": self.server.held}
            self.tell(201, {"conversation_id": session, "seqs": [], "added": 0, "warnings": [], "decision": decision, "handoff_id": None})
        else:
            self.tell(status, {"code": "internal_error", "detail": "Something went wrong.", "correlation_id": f"c-{session}"})

    def tell(self, status: int, answer: Any) -> None:
        sent = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("Continuity-Version", self.server.version)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""
