"""Starts a Continuity of its own with three agents in Python and one of the shell; kills, stops and replaces them, and tells what it sees.

`--once` ends after the story; else it stays, so that one can look at the pages and try the calls that it prints.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from continuity.client.connection import Away, Connection, Refused
from continuity.client.credentials import Credentials
from continuity.client.events import Subscriber
from diagnostics.screenshots import EMAIL, PASSWORD, PROJECT, Unable, running

PATIENCE_SECONDS = 90.0
AGENTS = ("billing", "search", "writer")
# Counts in the file that its runner keeps for it; sleeps in between.
COUNTER = """
while :; do
    count=$(sed -n 's/.*"count": \\([0-9]*\\).*/\\1/p' "$CONTINUITY_AGENT_STATE" 2>/dev/null)
    printf '{"context": {"count": %s}}' $((${count:-0} + 1)) > "$CONTINUITY_AGENT_STATE.new"
    mv "$CONTINUITY_AGENT_STATE.new" "$CONTINUITY_AGENT_STATE"
    sleep 1
done
"""


class Stage:
    """The agents and their runners, and what the server says of them."""

    def __init__(self, address: str, key: str, home: Path) -> None:
        self.address, self.key = address, key
        self._calls = Connection(Credentials(address, key))
        self._env = {**os.environ, "CONTINUITY_URL": address, "CONTINUITY_API_KEY": key, "CONTINUITY_HOME": str(home)}
        self._runners: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *command: str, options: tuple[str, ...] = ()) -> None:
        words = [sys.executable, "-m", "continuity.client", "agent", "run", "--name", name, *options, "--", *command]
        self._runners[name] = subprocess.Popen(words, cwd=PROJECT, env=self._env, stdin=subprocess.DEVNULL)

    def told(self, name: str, what: str = "") -> dict[str, Any]:
        with suppress(Away, Refused):
            return dict(self._calls.call("GET", f"/agents/{name}{what}"))
        return {"status": "not there yet", "epoch": 0, "items": []}

    def order(self, name: str, kind: str) -> None:
        self._calls.call("POST", f"/agents/{name}/orders", {"kind": kind})

    def follow(self, name: str, status: str, *, epoch: int = 0) -> None:
        """Tells each status of the agent, until it is as it should be. Raises Unable where it never is."""
        began, before = time.monotonic(), ""
        while time.monotonic() - began < PATIENCE_SECONDS:
            now = self.told(name)
            if now["status"] != before:
                before = now["status"]
                say(f"  {time.monotonic() - began:5.1f} s  {name} is {before}" + (f": {now['reason']}" if now.get("reason") else ""))
            if before == status and now["epoch"] >= epoch:
                return
            time.sleep(0.1)
        raise Unable(f"{name} is {before}, not {status}")

    def signal(self, name: str, number: int) -> None:
        """To the agent's process, as somebody would who knows nothing of runners."""
        asked = subprocess.run(["pgrep", "-P", str(self._runners[name].pid)], capture_output=True, text=True, check=False)
        for pid in asked.stdout.split():
            os.kill(int(pid), number)

    def end(self) -> None:
        for runner in self._runners.values():
            runner.terminate()
        for runner in self._runners.values():
            runner.wait()


def main(arguments: list[str]) -> int:
    try:
        with staged() as stage:
            tell(stage)
            if "--once" not in arguments:
                stay(stage)
    except Unable as error:
        say(f"continuity: {error}")
        return 1
    except KeyboardInterrupt:
        say("")
    return 0


@contextmanager
def staged(page: str = "/agents") -> Iterator[Stage]:
    say("A Continuity of its own starts; this takes half a minute.")
    with running() as (address, folder):
        key = re.search(r"API key\s+(\S+)", (folder / "log").read_text(encoding="utf-8", errors="replace"))
        if key is None:
            raise Unable("it shows no API key")
        stage = Stage(address, key[1], folder / "home")
        say(f"{address}{page} shows what follows: sign in as {EMAIL}, password “{PASSWORD}”.")
        try:
            yield stage
        finally:
            stage.end()


def tell(stage: Stage) -> None:
    """The story."""
    say("\nThree agents in Python and one of the shell, each kept by `continuity agent run`:")
    for name in AGENTS:
        stage.start(name, sys.executable, "-m", "diagnostics.agents_demo.programs", name)
    stage.start("counter", "sh", "-c", COUNTER)
    for name in (*AGENTS, "counter"):
        stage.follow(name, "ready")
    publisher = Subscriber("publisher", url=stage.address, key=stage.key)

    say("\nTwo tasks are published; then billing is killed (kill -9), and a third one while it is dead:")
    for number in (1, 2):
        publisher.publish("task:new", {"number": number}, critical=True)
    time.sleep(3)  # Both are told before the kill, also on a busy machine.
    epoch = stage.told("billing")["epoch"]
    stage.signal("billing", signal.SIGKILL)
    publisher.publish("task:new", {"number": 3}, critical=True)
    stage.follow("billing", "ready", epoch=epoch + 1)
    say("  Its state was restored and the event that it missed replayed before it was ready.")

    say("\nA person orders a restart of the shell's counter; it goes on counting where it was:")
    epoch = stage.told("counter")["epoch"]
    stage.order("counter", "restart")
    stage.follow("counter", "ready", epoch=epoch + 1)

    say("\nsearch hangs (SIGSTOP): its runner still beats for it, but it answers no probe:")
    epoch = stage.told("search")["epoch"]
    stage.signal("search", signal.SIGSTOP)
    stage.follow("search", "ready", epoch=epoch + 1)

    say("\nwriter is killed. It is to be replaced: search goes on, from a checked briefing of its conversation:")
    stage.signal("writer", signal.SIGKILL)
    stage.follow("writer", "stopped")
    time.sleep(2)


def stay(stage: Stage) -> None:
    call = f'curl -s -H "Authorization: Bearer {stage.key}" -H "Content-Type: application/json" {stage.address}/api/v1'
    say("\nThe same by hand. What happened to billing, an order, and an agent of your own (docs/agents.md):\n")
    say(f"  {call}/agents/billing/recoveries")
    say(f'  {call}/agents/counter/orders -d \'{{"kind": "restart"}}\'')
    say(f'  {call}/agents -d \'{{"name": "mine"}}\'')
    say("\nCtrl-C ends it all.")
    while True:
        time.sleep(3600)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
