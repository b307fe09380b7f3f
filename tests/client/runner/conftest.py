"""Runners in processes of their own, against a pretended server; each test has a home, which is one machine's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.agents.pretended import PretendedServer, pretended
from tests.platform.running import PROJECT

# Of the kinds of `agents.py`, those that greet their runner. Where a machine is busy enough, their start may look like rest for a moment;
# for the others it need not wait.
GREETING = ("library", "counter", "doubted", "talker", "heir")
GREETED_AFTER, NEVER_GREETED = "60", "0.5"


@pytest.fixture
def server() -> Iterator[PretendedServer]:
    with pretended() as made:
        yield made


class Runners:
    def __init__(self, home: Path, url: str, key: str) -> None:
        self.home = home
        known = {"CONTINUITY_HOME": str(home), "CONTINUITY_URL": url, "CONTINUITY_API_KEY": key}
        self.env = {
            **os.environ,
            **known,
            "FAMILY": str(home / "family"),
            "COUNTED": str(home / "counted"),
            "BRIEFING": str(home / "briefing"),
        }
        self.started: list[subprocess.Popen[str]] = []

    def start(self, name: str, *command: str, options: tuple[str, ...] = (), greets: bool = False, **env: str) -> subprocess.Popen[str]:
        client = ("tests.client.runner.waiting", GREETED_AFTER if greets else NEVER_GREETED)
        words = [sys.executable, "-m", *client, "agent", "run", "--name", name, *options, "--", *command]
        with (self.home / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(words, cwd=PROJECT, env={**self.env, **env}, stdin=subprocess.DEVNULL, stderr=log, text=True)
        self.started.append(process)
        return process

    def agent(self, name: str, kind: str, options: tuple[str, ...] = (), **env: str) -> subprocess.Popen[str]:
        command = (sys.executable, "-m", "tests.client.runner.agents", kind, name)
        return self.start(name, *command, options=options, greets=kind in GREETING, **env)

    def told(self, name: str) -> str:
        return (self.home / f"{name}.log").read_text(encoding="utf-8")

    def child_of(self, runner: subprocess.Popen[str]) -> int:
        children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text(encoding="ascii").split()
        return int(children[0]) if children else 0

    def end(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self.started:
            process.wait(30)


@pytest.fixture
def runners(home: Path, server: PretendedServer) -> Iterator[Runners]:
    made = Runners(home, server.url, "k")
    yield made
    server.away = False
    made.end()
