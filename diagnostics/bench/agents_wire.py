"""Agents as their users have them: heartbeats, deaths and replacements over HTTP, against the servers that run here."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from continuity.client.agents.instances import AgentCalls, Instance
from continuity.client.connection import Away, Connection, Refused
from continuity.client.credentials import Credentials
from diagnostics.bench import processors
from diagnostics.bench.rows import BenchRow, percentile, row, timed

AGENTS = 100
RUNNERS = (1, 4, 100)
INTERVAL = 2.0
# What a runner tells of an agent's processes every ten seconds.
USED, USED_EACH = {"cpu_cores": 0.02, "memory_bytes": 40_000_000, "disk_bytes_per_second": 0.0}, 5
PATIENCE = 60.0
# One in a hundred of a core; that many runners and fewer may take no more.
SHARE_MS, FEW = 10.0, 4
BACKUP, TOOL = "bench-backup", "bench-tool"


class Beating:
    """Agents that some runners beat for, each in a thread."""

    def __init__(self, chosen: Credentials, count: int, runners: int) -> None:
        self._calls = AgentCalls(chosen, "")
        self._over = threading.Event()
        self._held: dict[str, dict[str, Instance]] = {}
        for number in range(count):
            runner = f"bench-{runners}-{number % runners}"
            calls = AgentCalls(chosen, f"bench-{number}")
            self._held.setdefault(runner, {})[calls.name] = calls.register({"runner": runner, "probe": True})
        self.calls = {name: AgentCalls(chosen, name) for held in self._held.values() for name in held}
        self._threads = [
            threading.Thread(target=self._beat, args=(runner, INTERVAL * at / runners), daemon=True) for at, runner in enumerate(self._held)
        ]

    def __enter__(self) -> Beating:
        for thread in self._threads:
            thread.start()
        for name, instance in self._instances():
            self.calls[name].ready(instance)
        return self

    def __exit__(self, *failure: object) -> None:
        for name, instance in self._instances():
            self.calls[name].stop(instance, "measured")
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _instances(self) -> list[tuple[str, Instance]]:
        return [each for held in self._held.values() for each in held.items()]

    def falls_silent(self, runner: str) -> None:
        """As if it were killed."""
        self._held[runner].clear()

    def _beat(self, runner: str, first: float) -> None:
        due, answers, turn = time.monotonic() + first, dict[str, dict[str, Any]](), 0
        while not self._over.wait(max(0.0, due - time.monotonic())):
            due, turn = due + INTERVAL, turn + 1
            if held := dict(self._held[runner]):
                beats = [{"agent": name, **instance.shown, **answers.get(name, {})} for name, instance in held.items()]
                for beat in beats[turn % USED_EACH :: USED_EACH]:
                    beat["used"] = USED
                try:
                    told = self._calls.beat(runner, beats)
                except (Away, Refused):  # It goes on beating; or they are all stopped.
                    continue
                asked = {each["agent"]: order for each in told["agents"] for order in each["orders"] if order["kind"] == "probe"}
                answers |= {name: {"probe": {"id": order["id"], "ok": True}} for name, order in asked.items()}


def measured(url: str, key: str, n: int, *, seconds: float) -> Iterator[BenchRow]:
    """`seconds` for each share of a processor."""
    chosen = Credentials(url, key)
    pids = processors.serving()
    for runners in RUNNERS:
        yield _monitoring(chosen, pids, runners, seconds)
    yield row("death to disconnected, on other runners", _detections(chosen, n), specified_ms=5000, target_ms=5000)
    with _kept(chosen, BACKUP, sys.executable, "-m", "diagnostics.bench.agent_program", BACKUP):
        taken = [_replacement(chosen, number) for number in range(n)]
        yield row("replace: order to the backup at work", taken, specified_ms=500, target_ms=500)
        yield row("replace: the slowest but two in a hundred", [percentile(taken, 0.98)], specified_ms=750, target_ms=750)
        yield row("restart: claim to ready, Python with the library", _restarts(chosen, BACKUP, max(3, n // 5)))
    with _kept(chosen, TOOL, "sh", "-c", "while :; do sleep 1; done"):
        yield row("restart: claim to ready, a program of the shell", _restarts(chosen, TOOL, max(3, n // 5)), specified_ms=500)
    yield from _others(chosen, n)


def _monitoring(chosen: Credentials, pids: dict[str, int], runners: int, seconds: float) -> BenchRow:
    """What a hundred agents cost more than none: quiet before and after, since all else goes on meanwhile."""
    quiet = _spent(pids, seconds / 2)
    with Beating(chosen, AGENTS, runners):
        time.sleep(INTERVAL)
        beating = _spent(pids, seconds)
    time.sleep(INTERVAL)
    quiet += _spent(pids, seconds / 2)
    name = f"processor in a second, {AGENTS} agents on {runners} runner{'s' if runners > 1 else ''}"
    return row(name, [max(0.0, beating - quiet) / seconds], target_ms=SHARE_MS if runners <= FEW else None)


def _spent(pids: dict[str, int], seconds: float) -> float:
    before = processors.spent_ms(pids)
    time.sleep(seconds)
    return processors.spent_ms(pids) - before


def _detections(chosen: Credentials, n: int) -> list[float]:
    """Each on a runner of its own, which falls silent at another moment of its interval."""
    reading = Connection(chosen)
    with Beating(chosen, n, n) as beating:
        time.sleep(5 * INTERVAL)  # The watch gives newcomers a whole window.
        silent, found = dict[str, float](), dict[str, float]()
        ends = time.monotonic() + PATIENCE
        while len(found) < n and time.monotonic() < ends:
            if (number := len(silent)) < n:
                silent[f"bench-{number}"] = time.perf_counter()
                beating.falls_silent(f"bench-{n}-{number}")
                ends = time.monotonic() + PATIENCE
            # The first are found while others still fall silent.
            rows = reading.call("GET", "/agents", query={"limit": 200, "status": "disconnected"})["items"]
            seen = time.perf_counter()
            found |= {each["name"]: (seen - silent[each["name"]]) * 1000 for each in rows if each["name"] in silent.keys() - found.keys()}
            time.sleep(INTERVAL / n * 7 % 0.3 if len(silent) < n else 0.05)
    if len(found) < n:
        raise TimeoutError(f"{n - len(found)} of {n} deaths were not noticed within {PATIENCE:g} seconds")
    return list(found.values())


def _replacement(chosen: Credentials, number: int) -> float:
    """An agent at work in a conversation of some turns, whose backup takes over."""
    calls, reading = AgentCalls(chosen, f"bench-{number}"), Connection(chosen)
    instance = calls.register({"runner": "bench", "strategy": "replace", "backup": BACKUP})
    calls.ready(instance)
    conversation = calls.open_conversation(instance, {"title": "Invoices", "source_tool": "bench"})
    for turn in range(10):
        calls.append(conversation, {"role": "user", "content": f"Write invoice {turn} of November. Never send invoice {turn} twice."})
        calls.append(conversation, {"role": "assistant", "content": f"Invoice {turn} is written. Next is invoice {turn + 1}."})
    reading.call("POST", f"/agents/{calls.name}/orders", {"kind": "replace"})
    _wait(lambda: _is_in(reading, calls.name, "stopped"), f"{calls.name} is not replaced")
    return _taken(reading, calls.name, "created_at")


def _restarts(chosen: Credentials, name: str, n: int) -> list[float]:
    reading, samples = Connection(chosen), []
    for _ in range(n):
        epoch = reading.call("GET", f"/agents/{name}")["epoch"]
        reading.call("POST", f"/agents/{name}/orders", {"kind": "restart"})
        _wait(partial(_is_in, reading, name, "ready", "active", after=epoch), f"{name} does not start again")
        samples.append(_taken(reading, name, "claimed_at"))
    return samples


def _is_in(reading: Connection, name: str, *statuses: str, after: int = -1) -> bool:
    """Seldom asked: each question costs the server as much as many a step of what is measured."""
    time.sleep(0.25)
    told = reading.call("GET", f"/agents/{name}")
    return bool(told["status"] in statuses and told["epoch"] > after)


def _taken(reading: Connection, name: str, since: str) -> float:
    """Milliseconds until the agent's latest recovery was over, as its row tells."""
    told = reading.call("GET", f"/agents/{name}/recoveries")["items"][0]
    began, over = (datetime.fromisoformat(told[each]) for each in (since, "over_at"))
    return (over - began).total_seconds() * 1000


def _others(chosen: Credentials, n: int) -> Iterator[BenchRow]:
    """The same calls of somebody else by turns, while nothing fails and while an agent dies and is restarted without end."""
    reading, calls = Connection(chosen), AgentCalls(chosen, "bench-failing")
    instance = calls.register({"runner": "bench", "threshold": 1000})
    calls.ready(instance)
    quiet: list[float] = []
    beside: list[float] = []
    for _ in range(5):
        quiet += _asked(reading, n)
        over = threading.Event()
        failing = threading.Thread(target=_fail, args=(chosen, over), daemon=True)
        failing.start()
        beside += _asked(reading, n)
        over.set()
        failing.join()
    yield row("a call of others, nothing fails", quiet)
    yield row("a call of others, while one agent fails", beside, specified_ms=round(1.5 * percentile(quiet, 0.95), 2))


def _asked(reading: Connection, n: int) -> Sequence[float]:
    return [timed(partial(reading.call, "GET", "/conversations", query={"limit": 20})) for _ in range(n)]


def _fail(chosen: Credentials, over: threading.Event) -> None:
    calls = AgentCalls(chosen, "bench-failing")
    while not over.is_set():
        instance = calls.register({"runner": "bench", "threshold": 1000})
        calls.save(instance, {"context": {"step": 1}})
        calls.ready(instance)
        calls.ended(instance, cause="killed", signal=9)
        over.wait(0.25)


def _wait(what: Callable[[], bool], otherwise: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > ends:
            raise TimeoutError(otherwise)
        time.sleep(0.02)


@contextmanager
def _kept(chosen: Credentials, name: str, *command: str) -> Iterator[None]:
    """A program that `continuity agent run` keeps, on a machine of its own."""
    with tempfile.TemporaryDirectory(prefix="continuity-bench-") as home:
        env = {**os.environ, "CONTINUITY_HOME": home, "CONTINUITY_URL": chosen.url, "CONTINUITY_API_KEY": chosen.key}
        words = [sys.executable, "-m", "continuity.client", "agent", "run", "--name", name, "--", *command]
        runner = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        reading = Connection(chosen)
        try:
            _wait(partial(_is_there, reading, name), f"{name} does not start")
            yield
        finally:
            runner.terminate()
            runner.wait(30)


def _is_there(reading: Connection, name: str) -> bool:
    time.sleep(0.2)
    return any(each["name"] == name and each["status"] == "ready" for each in reading.call("GET", "/agents", query={"limit": 200})["items"])
