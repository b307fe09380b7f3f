"""An agent as the pretended server knows it, and how that refuses."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

INTERVAL_MS = 200
FENCED = {"code": "fenced", "detail": "another instance began"}


class Refusal(Exception):
    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status, self.problem = status, problem


class PretendedAgent:
    def __init__(self, name: str) -> None:
        self.name, self.epoch, self.instance, self.status = name, 0, "", "registered"
        self.state: dict[str, Any] | None = None
        self.orders: list[dict[str, Any]] = []
        self.about: dict[str, Any] = {}
        self.attempt = ""
        self.beats: list[dict[str, Any]] = []
        self.deaths: list[dict[str, Any]] = []
        self.readied: list[dict[str, Any]] = []
        self.acks: list[tuple[str, dict[str, Any]]] = []

    def begin(self) -> dict[str, Any]:
        self.epoch, self.instance, self.status = self.epoch + 1, str(uuid4()), "registered"
        return {
            "name": self.name, "epoch": self.epoch, "instance": self.instance, "status": self.status, "heartbeat_interval_ms": INTERVAL_MS,
            "lost_after_ms": 5000, "probe_timeout_ms": 500, "timeout": 30, "conversation_id": None,
            "strategy": self.about.get("strategy") or "restart", "probe_command": self.about.get("probe_command", ""),
        }  # fmt: skip

    def fail(self) -> None:
        """Declares the instance over, and orders another one."""
        self.epoch, self.instance, self.status, self.attempt = self.epoch + 1, "", "recovering", str(uuid4())

    def order(self, kind: str, **more: Any) -> str:
        id = uuid4().hex if kind == "probe" else str(uuid4())
        self.orders.append({"id": id, "kind": kind, **({"timeout_ms": 500} if kind == "probe" else {}), **more})
        return id

    def order_restart(self) -> None:
        self.fail()
        self.order("restart", attempt=self.attempt, after_ms=0, epoch=self.epoch)


def fenced() -> Any:
    raise Refusal(409, FENCED)
