"""A whole agent over HTTP alone, as any other language does it: it beats, keeps its state, handles events, and stops when it is told to.

`python example_worker.py NAME`, with CONTINUITY_URL and CONTINUITY_API_KEY (scopes `agent`, `read` and `write`).
"""

import json
import os
import signal
import sys
import threading
import urllib.error
import urllib.request
from typing import Any


class Over(Exception):
    """Another instance of this agent began, or this one was replaced."""


def refusal(problem: dict[str, Any]) -> Exception:
    return (Over if problem["code"] == "fenced" else OSError)(problem["detail"])


class Worker:
    """Keeps in its state which tasks it did, so that one that comes twice is done once."""

    def __init__(self, name: str, topics: list[str]) -> None:
        self.name, self.ending, self.orders = name, threading.Event(), dict[str, str]()
        told = self.call("POST", "/agents", {"name": name, "topics": topics})  # Without a runner: it beats for itself.
        self.me = {"epoch": told["epoch"], "instance": told["instance"]}
        self.interval, self.events = told["heartbeat_interval_ms"] / 1000, f"/subscriptions/{told['subscription_id']}"

    def call(self, method: str, path: str, body: Any = None, seconds: float = 30.0) -> Any:
        """JSON of the answer. Raises Over, or OSError where the server is away or refuses."""
        headers = {"Authorization": f"Bearer {os.environ['CONTINUITY_API_KEY']}", "Content-Type": "application/json"}
        if hasattr(self, "me"):
            headers["Continuity-Agent"] = f"{self.name}/{self.me['epoch']}"
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{os.environ['CONTINUITY_URL']}/api/v1{path}", sent, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:  # noqa: S310
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            raise refusal(json.load(error)) from error

    def beat(self) -> None:
        """In a thread that does nothing else: each beat may bring orders, and one that fails is followed by the next."""
        while not self.ending.wait(self.interval):
            try:
                [told] = self.call("POST", "/agents/heartbeats", {"beats": [{"agent": self.name, **self.me}]}, seconds=1.5)["agents"]
                self.orders |= {order["id"]: order["kind"] for order in told["orders"]}
            except Over:
                self.ending.set()
            except OSError:
                pass  # The server is away: this agent goes on.

    def obey(self) -> None:
        """Does what was ordered since, each once. `restart` comes only where there is a runner, `resume` where it is a backup."""
        for order, kind in list(self.orders.items()):
            if kind == "save_state":
                self.save()
                self.call("POST", f"/agents/{self.name}/orders/{order}/ack", self.me)
            elif kind == "stop":
                self.ending.set()
            del self.orders[order]

    def save(self) -> None:
        self.call("PUT", f"/agents/{self.name}/state", {**self.me, "state": {"context": {"done": self.done[-1000:]}}})

    def handle(self, event: dict[str, Any]) -> None:
        if event["id"] not in self.done:
            print(f"{event['topic']} {event['payload']}", flush=True)  # noqa: T201  (this is its work)
            self.done.append(event["id"])

    def work(self, begun: int) -> None:
        """Handles the events of one poll, which waits a second for one."""
        told = self.call("GET", f"{self.events}/events?wait=1&epoch={begun}")
        if told["problem"]:  # The answer had begun before it came up.
            raise refusal(told["problem"])
        for event in told["items"]:
            self.handle(event)
            self.save()  # Before it is acknowledged: who dies in between gets the event again, and knows it.
            self.call("POST", f"{self.events}/acks", {"acks": [{"event_id": event["id"]}], "epoch": begun})

    def run(self) -> None:
        """Takes up what the instance before left, then works until it is to end."""
        found = self.call("GET", f"/agents/{self.name}/state?epoch={self.me['epoch']}&instance={self.me['instance']}")
        self.done: list[str] = (found["state"] or {"context": {"done": []}})["context"]["done"]
        begun = self.call("POST", f"{self.events}/begin")["epoch"]
        self.call("POST", f"/agents/{self.name}/ready", {**self.me, "state_digest": found["digest"]})
        threading.Thread(target=self.beat, daemon=True).start()
        while not self.ending.is_set():
            try:
                self.work(begun)
                self.obey()
            except OSError:
                self.ending.wait(self.interval)  # The server is away: what was not acknowledged comes again.
        self.save()
        self.call("POST", f"/agents/{self.name}/stop", {**self.me, "reason": "by itself"})


def main(name: str = "worker") -> None:
    worker = Worker(name, ["task:*"])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.ending.set())
    try:
        worker.run()
    except Over as error:
        sys.exit(f"{name}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
