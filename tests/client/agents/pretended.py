"""A server that says of agents what the real one does, in memory: it can be away, and be told what to order."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from continuity.storage.state_digest import digest_of
from tests.client.agents.pretended_agent import FENCED, INTERVAL_MS, PretendedAgent, Refusal, fenced
from tests.platform.running import eventually
from tests.serving import serving


class PretendedServer:
    """`calls` counts requests by method and path; `away` lets each be answered with 503, and not to store those that save a state.
    `on_its_way` may change a state that is asked for, without its digest."""

    def __init__(self) -> None:
        self.agents: dict[str, PretendedAgent] = {}
        self.calls: dict[str, int] = defaultdict(int)
        self.batches: list[int] = []
        self.acting: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.event_acks: dict[str, str] = {}
        self.given: set[str] = set()
        self.away, self.stores = False, True
        self.on_its_way: Callable[[Any], Any] = lambda state: state
        self.after_ms = 0
        self.then = "restart"
        self.lock = threading.RLock()
        self.over = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            do_GET = do_POST = do_PUT = do_PATCH = lambda handler: server.answer(handler)

            def log_message(self, *args: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def agent(self, name: str) -> PretendedAgent:
        return self.agents[name]

    def eventually(self, name: str, what: Callable[[PretendedAgent], object], seconds: float = 20.0) -> bool:
        return eventually(lambda: name in self.agents and bool(what(self.agents[name])), seconds)

    def publish(self, topic: str, payload: Any = None, *, replay: bool = False) -> str:
        id = str(uuid4())
        event = {"id": id, "topic": topic, "payload": payload, "position": len(self.events) + 1, "critical": True, "publisher": "",
                 "attempt": 1, "published_at": "", "replay": replay, "subject_id": None, "correlation_id": "", "after_ms": 0.0}  # fmt: skip
        self.events.append(event)
        return id

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers.get("Content-Length") or 0)) or b"{}")
        path = urlsplit(handler.path).path.removeprefix("/api/v1")
        self.calls[f"{handler.command} {path}"] += 1
        if handler.headers.get("Accept") == "text/event-stream" and not self.away:
            self._stream(handler)
            return
        status: int = 503
        told: Any = {"code": "unavailable", "detail": "away"}
        if not self.away:
            try:
                if path == "/agents/heartbeats/orders":
                    status, told = 200, {"agents": self._newly_ordered()}
                else:
                    with self.lock:
                        status, told = 200, self._do(handler, path, body)
            except Refusal as refusal:
                status, told = refusal.status, refusal.problem
        if status == 200 and path.endswith("/ack"):
            status = 204
        sent = json.dumps(told).encode() if status != 204 else b""
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(sent)))
        handler.end_headers()
        handler.wfile.write(sent)

    def _newly_ordered(self) -> list[str]:
        """Those to whom something is ordered from now on, within a second."""
        before = {order["id"] for agent in list(self.agents.values()) for order in agent.orders}

        def found() -> list[str]:
            return [name for name, agent in list(self.agents.items()) if any(order["id"] not in before for order in agent.orders)]

        eventually(lambda: self.over.is_set() or bool(found()), 1.0)
        return found()

    def _do(self, handler: BaseHTTPRequestHandler, path: str, body: dict[str, Any]) -> Any:
        self.acting.append(handler.headers.get("Continuity-Agent", ""))
        parts = path.strip("/").split("/")
        if path == "/agents":
            agent = self.agents.setdefault(body["name"], PretendedAgent(body["name"]))
            agent.about.update(body)
            return agent.begin()
        if path == "/agents/heartbeats":
            return self._beats(body)
        if parts[0] == "agents":
            return self._of_agent(self.agents[parts[1]], handler.command, "/".join(parts[2:]), handler, body)
        if parts[0] == "conversations":
            self._check_acting(handler)
            self.messages += body["messages"]
            return {}
        if parts[0] == "handoffs":
            return {"text": f"The briefing of {parts[1]}."}
        if len(parts) == 1:  # Events, or a new subscription.
            self._check_acting(handler)
            return {"id": "s1"}
        return self._of_subscription(parts, body)

    def _beats(self, body: dict[str, Any]) -> Any:
        beats = body["beats"]
        self.batches.append(len(beats))
        told = []
        for beat in beats:
            agent = self.agents[beat["agent"]]
            agent.beats.append({**beat, "at": time.monotonic(), "runner": body["runner"]})
            result = "ok" if beat["instance"] == agent.instance else "over" if not agent.instance else "fenced"
            if beat.get("probe"):
                agent.orders = [order for order in agent.orders if order["id"] != beat["probe"]["id"]]
            orders = agent.orders if result != "fenced" else []
            told.append({"agent": agent.name, "status": agent.status, "epoch": agent.epoch, "result": result, "orders": orders})
        if all(each["result"] == "fenced" for each in told):
            raise Refusal(409, FENCED)
        return {"interval_ms": INTERVAL_MS, "lost_after_ms": 5000, "agents": told}

    def _of_agent(self, agent: PretendedAgent, method: str, what: str, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> Any:
        if what == "claim":
            if body["attempt"] != agent.attempt:
                raise Refusal(409, {"code": "not_recovering", "detail": "over"})
            agent.attempt, agent.orders = "", [order for order in agent.orders if order["kind"] != "restart"]
            return agent.begin()
        given = body.get("instance") or handler.path.partition("instance=")[2]
        if what == "ended" and given and given != agent.instance:
            return agent.deaths[-1]["answer"] if agent.deaths else fenced()
        if given != agent.instance:
            fenced()
        if what == "state" and method == "GET":
            return {"state": self.on_its_way(agent.state), "digest": digest_of(agent.state) if agent.state else "", "epoch": agent.epoch}
        if what == "state":
            if not self.stores:
                raise Refusal(503, {"code": "unavailable", "detail": "the storage is away"})
            agent.state = body["state"]
            return {"digest": digest_of(body["state"]), "bytes": 1, "trimmed": False, "messages": 0}
        if what == "describe":
            agent.about.update(body)
        elif what == "ready":
            agent.status = "ready"
            agent.readied.append(body)
        elif what == "ended":
            stopped = body["exit_code"] == 0
            agent.fail()
            agent.status = "stopped" if stopped else "recovering" if self.then == "restart" else "failed"
            answer = {"status": agent.status, "epoch": agent.epoch, "action": "none" if stopped else self.then, "attempt": agent.attempt,
                      "after_ms": self.after_ms, "failures": 1}  # fmt: skip
            agent.deaths.append({**body, "answer": answer})
            return answer
        elif what == "stop":
            agent.fail()
            agent.status = "stopped"
        elif what == "conversation":
            return {"conversation_id": str(uuid4())}
        elif what.endswith("/ack"):
            agent.acks.append((what.split("/")[1], body))
            agent.orders = [order for order in agent.orders if order["id"] != what.split("/")[1]]
        return {}

    def _of_subscription(self, parts: list[str], body: dict[str, Any]) -> Any:
        if parts[2] == "begin":
            return {"epoch": 1, "position": 0, "policy": "full", "gap": None}
        if parts[2] == "acks":
            self.event_acks |= {ack["event_id"]: ack["outcome"] for ack in body["acks"]}
            return {}
        return {"items": self._fresh(), "gap": None, "position": 0, "problem": None}

    def _fresh(self) -> list[dict[str, Any]]:
        found = [event for event in self.events if event["id"] not in self.given]
        self.given |= {event["id"] for event in found}
        return found

    def _stream(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        try:
            while not self.over.wait(0.02):
                for event in self._fresh():
                    handler.wfile.write(f"event: {event['topic']}\ndata: {json.dumps(event)}\n\n".encode())
                handler.wfile.write(b": beat\n\n")
        except OSError:
            handler.close_connection = True

    def _check_acting(self, handler: BaseHTTPRequestHandler) -> None:
        name, _, epoch = handler.headers.get("Continuity-Agent", "").rpartition("/")
        if not name or int(epoch) != self.agents[name].epoch:
            fenced()


@contextmanager
def pretended() -> Iterator[PretendedServer]:
    made = PretendedServer()
    with serving(made.http):
        yield made
        made.over.set()
