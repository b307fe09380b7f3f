"""The server's calls for one agent: what an instance of it says, and what is asked for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from continuity.client.agents.listening import WAIT_SECONDS
from continuity.client.connection import Away, Connection, Refused
from continuity.client.credentials import Credentials
from continuity.client.publishing import may_heal, pauses

T = TypeVar("T")

# A beat is worth nothing when it is late.
BEAT_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of an agent: who holds `epoch` and `id` may act for it, until a later one begins. `interval` of beats is in seconds."""

    agent: str
    epoch: int
    id: str
    interval: float
    conversation_id: str | None = None
    strategy: str = "restart"
    probe_command: str = ""

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Instance:
        return cls(
            agent=told["name"],
            epoch=int(told["epoch"]),
            id=str(told["instance"]),
            interval=told["heartbeat_interval_ms"] / 1000,
            conversation_id=told.get("conversation_id"),
            strategy=str(told.get("strategy") or "restart"),
            probe_command=str(told.get("probe_command") or ""),
        )

    @property
    def acting(self) -> str:
        return f"{self.agent}/{self.epoch}"

    @property
    def shown(self) -> dict[str, Any]:
        return {"epoch": self.epoch, "instance": self.id}


class AgentCalls:
    """Each call raises Away, and Refused: `fenced` where a later instance began. For any thread: each has a connection of its own."""

    def __init__(self, chosen: Credentials, name: str) -> None:
        self._credentials, self._path = chosen, f"/agents/{quote(name, safe='')}"
        self._own = threading.local()
        self.name = name

    @property
    def _connection(self) -> Connection:
        known: Connection | None = getattr(self._own, "connection", None)
        if known is None:
            known = self._own.connection = Connection(self._credentials)
        return known

    def register(self, about: Mapping[str, Any]) -> Instance:
        """Begins an instance; the one before is over."""
        return Instance.of(self._connection.call("POST", "/agents", {"name": self.name, **about}))

    def describe(self, instance: Instance, about: Mapping[str, Any]) -> None:
        """Says what the agent is; the instance goes on."""
        self._connection.call("POST", f"{self._path}/describe", {**instance.shown, **about})

    def claim(self, attempt: str, runner: str) -> Instance:
        """Begins the instance that an attempt to recover the agent is for."""
        return Instance.of(self._connection.call("POST", f"{self._path}/claim", {"attempt": attempt, "runner": runner}))

    def ready(self, instance: Instance, *, digest: str = "", replayed: int = 0, failed: int = 0) -> None:
        told = {"state_digest": digest, "replayed": replayed, "replay_failed": failed}
        self._connection.call("POST", f"{self._path}/ready", instance.shown | told)

    def ended(self, instance: Instance, *, cause: str, exit_code: int | None = None, signal: int | None = None) -> dict[str, Any]:
        """Report the end, and return the runner's next action: `action`, `attempt`, `after_ms`."""
        told = {"cause": cause, "exit_code": exit_code, "signal": signal}
        return dict(self._connection.call("POST", f"{self._path}/ended", instance.shown | told))

    def stop(self, instance: Instance, reason: str) -> None:
        self._connection.call("POST", f"{self._path}/stop", instance.shown | {"reason": reason})

    def acknowledge(self, instance: Instance, order: str, *, error: str = "") -> None:
        told = {"outcome": "failed" if error else "done", "error": error}
        self._connection.call("POST", f"{self._path}/orders/{order}/ack", instance.shown | told)

    def open_conversation(self, instance: Instance, about: Mapping[str, Any]) -> str:
        return str(self._connection.call("POST", f"{self._path}/conversation", instance.shown | dict(about))["conversation_id"])

    def state(self, instance: Instance) -> dict[str, Any]:
        """`state` (None: none was saved) and its `digest`."""
        return dict(self._connection.call("GET", f"{self._path}/state", query=instance.shown))

    def save(self, instance: Instance, state: Mapping[str, Any], *, answer: float | None = None) -> dict[str, Any]:
        return dict(self._connection.call("PUT", f"{self._path}/state", instance.shown | {"state": state}, answer=answer))

    def beat(self, runner: str, beats: list[dict[str, Any]]) -> dict[str, Any]:
        """Beats of all agents of a runner, 200 at most: `interval_ms`, and for each of them `result` and `orders`."""
        return dict(self._connection.call("POST", "/agents/heartbeats", {"runner": runner, "beats": beats}, answer=BEAT_SECONDS))

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return dict(self._connection.call("POST", path, body))

    def get(self, path: str, query: Mapping[str, Any]) -> dict[str, Any]:
        return dict(self._connection.call("GET", path, query=dict(query)))

    def ordered(self, runner: str) -> list[str]:
        """Waits until something is ordered to an agent of the runner, or to this one where there is no runner; who is to beat now."""
        asked = {"runner": runner, "agent": "" if runner else self.name, "wait": WAIT_SECONDS}
        told = self._connection.call("GET", "/agents/heartbeats/orders", query=asked, answer=WAIT_SECONDS + BEAT_SECONDS)
        return [str(each) for each in told["agents"]]

    def briefing(self, handoff: str) -> str:
        return str(self._connection.call("GET", f"/handoffs/{handoff}/directive")["text"])

    def append(self, conversation: str, message: Mapping[str, Any]) -> None:
        self._connection.call("POST", f"/conversations/{conversation}/messages", {"messages": [message]})


def is_fenced(error: Exception) -> bool:
    return isinstance(error, Refused) and error.code == "fenced"


def patiently(work: Callable[[], T], stop: threading.Event) -> T:
    """Does it until the server answers. Raises Refused, and Away where it is stopped meanwhile."""
    for pause in pauses():
        try:
            return work()
        except (Away, Refused) as error:
            if not may_heal(error) or stop.wait(pause):
                raise
    raise AssertionError("unreachable: pauses have no end")
