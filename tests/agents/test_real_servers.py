"""Real processes, stopped and killed: our own absence costs nobody anything, and who is really gone is found in time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from config.supervision.processes import Identity
from tests.agents.beating import call
from tests.faults.test_hanging import hanging
from tests.platform.running import PROJECT, Application, children_of, eventually, key_of
from tests.whole_application import LOST_AFTER_SECONDS

pytestmark = pytest.mark.processes

SPARE = 1.0  # for asking
BUSY = 12.0  # for a machine that starts the servers of other tests meanwhile; how quick it is, `bench --agents` tells
LONG_ENOUGH = LOST_AFTER_SECONDS + 2.0  # to be lost, were it not our own absence


@pytest.fixture
def application(for_agents: Callable[[], Application]) -> Application:
    return for_agents()


class Machine:
    """Runners of one Continuity, and what it says of their agents."""

    def __init__(self, application: Application) -> None:
        self.url, self.key = f"http://127.0.0.1:{application.port}", key_of(application)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.before = {each["id"] for each in self.all_events()}

    def start(self, runner: str, *names: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.agents.beating", self.url, self.key, runner, *names]
        process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE)
        self.processes.append(process)
        assert process.stdout and process.stdout.readline() == b"ready\n"
        return process

    def agents(self) -> dict[str, Any]:
        try:
            return {each["name"]: each for each in call(self.url, self.key, "/agents", seconds=10)["items"]}
        except OSError:
            return {}

    def is_in(self, name: str, status: str) -> bool:
        return bool(self.agents().get(name, {}).get("status") == status)

    def all_events(self) -> list[Any]:
        return list(call(self.url, self.key, "/events?limit=200", seconds=10)["items"])

    def events(self, name: str) -> list[Any]:
        """Since it began."""
        return [each for each in self.all_events() if each["name"] == name and each["id"] not in self.before]

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def machine(application: Application) -> Iterator[Machine]:
    machine = Machine(application)
    yield machine
    machine.end()


@contextmanager
def stopped(*programs: Identity) -> Iterator[None]:
    """They and their children do nothing for a while, and keep their connections."""
    with hanging(lambda: [*programs, *(child for each in programs for child in children_of(each.pid))]):
        yield


def lost(machine: Machine) -> list[Any]:
    """Who was declared lost, or is anything but ready, once there was time enough for it."""
    time.sleep(LOST_AFTER_SECONDS + SPARE)
    assert eventually(lambda: bool(machine.agents()), 60), "it answers"
    told = [each["payload"] for each in machine.events("agent.disconnected")]
    return told + [(name, each["status"]) for name, each in machine.agents().items() if each["status"] != "ready"]


def test_it_works(application: Application, machine: Machine) -> None:
    laptop = machine.start("laptop", "a1", "a2")
    alone = machine.start("", "b")
    time.sleep(LOST_AFTER_SECONDS)  # the monitor gave everybody a window when it began
    for program in ("web", "postgres"):
        with stopped(application.process(program)):
            time.sleep(LONG_ENOUGH)
        assert eventually(lambda: bool(machine.agents()), 30), "it answers again"
        assert lost(machine) == [], program
    before = application.kill("valkey")
    assert application.replaced("valkey", before)
    assert lost(machine) == []

    with hanging(lambda: [Identity(laptop.pid, 0)]):
        begun = time.monotonic()
        alone.kill()
        assert eventually(lambda: machine.is_in("b", "disconnected"), 30)
        assert time.monotonic() - begun <= LOST_AFTER_SECONDS + BUSY
        assert eventually(lambda: machine.is_in("a1", "disconnected"), 30)
        assert machine.agents()["a1"]["reason"] == "runner silent"
    assert eventually(lambda: machine.is_in("a1", "ready") and machine.is_in("a2", "ready"), 30)
    assert [each["failures"] for name, each in machine.agents().items() if name != "b"] == [0, 0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("programs", "seconds"),
    [(("postgres",), 60), (("valkey",), 60), (("monitor",), 8), (("web", "worker", "beat", "monitor"), 30)],
    ids=["store", "broker", "monitor", "ours"],
)
def test_what_is_away_for_long_costs_nobody_anything(
    application: Application, machine: Machine, programs: tuple[str, ...], seconds: float
) -> None:
    machine.start("laptop", "a1", "a2")
    machine.start("", "b")
    time.sleep(LOST_AFTER_SECONDS)
    with stopped(*(application.process(each) for each in programs)):
        time.sleep(seconds)
    assert eventually(lambda: bool(machine.agents()), 60), "it answers again"
    assert lost(machine) == []
