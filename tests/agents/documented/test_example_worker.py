"""docs/example_worker.py as it stands there, in a process of its own, against a running Continuity."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from continuity.client.events import Subscriber
from tests.client.runner.test_real_server import Site
from tests.platform.running import PROJECT, Application, eventually

EXAMPLE = PROJECT / "docs" / "example_worker.py"
pytestmark = pytest.mark.processes
Start = Callable[[], subprocess.Popen[str]]


@pytest.fixture
def site(for_agents: Callable[[], Application]) -> Site:
    return Site(for_agents())


@pytest.fixture
def publish(site: Site) -> Callable[[int], object]:
    publisher = Subscriber("publisher", url=site.url, key=site.key)
    return lambda number: publisher.publish("task:new", {"number": number}, critical=True)


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    return tmp_path / "printed"


@pytest.fixture
def start(site: Site, printed: Path) -> Iterator[Start]:
    env = {"PATH": os.environ["PATH"], "CONTINUITY_URL": site.url, "CONTINUITY_API_KEY": site.key}
    started: list[subprocess.Popen[str]] = []

    def begin() -> subprocess.Popen[str]:
        command = [sys.executable, "-I", str(EXAMPLE)]  # -I: nothing of ours can be imported
        with printed.open("ab") as file:
            started.append(subprocess.Popen(command, env=env, stdout=file, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield begin
    for each in started:
        each.kill()
        each.communicate()


def tasks(printed: Path) -> list[str]:
    return printed.read_text(encoding="utf-8").splitlines()


def done(*numbers: int) -> list[str]:
    return [f"task:new {{'number': {number}}}" for number in numbers]


def test_it_works(site: Site, start: Start, publish: Callable[[int], object], printed: Path) -> None:
    """Killed with -9 it comes back with its state and what it missed, and does nothing twice; then it does what is ordered."""
    first = start()
    assert site.is_in("worker", "ready", epoch=1)
    publish(1)
    assert eventually(lambda: tasks(printed) == done(1)) and eventually(lambda: site.has_acknowledged("worker"))
    first.kill()
    first.wait()
    publish(2)
    second = start()
    assert site.is_in("worker", "ready", epoch=2)
    assert eventually(lambda: tasks(printed) == done(1, 2))
    site.order("worker", "save_state")
    assert eventually(lambda: orders(site) == [("save_state", "done")]), "it came with a beat, and was done and acknowledged"
    site.order("worker", "stop")
    assert second.wait(30) == 0
    assert site.is_in("worker", "stopped")
    start()
    assert site.is_in("worker", "ready", epoch=3)
    publish(3)
    assert eventually(lambda: tasks(printed) == done(1, 2, 3)), "the tasks of its state were not done again"


def orders(site: Site) -> list[tuple[str, str]]:
    return [(each["kind"], each["status"]) for each in site.calls.call("GET", "/agents/worker/orders")["items"]]


def test_it_beats(site: Site, start: Start) -> None:
    """Stopped for longer than an agent may be silent it is lost, and the next beat takes it up."""
    worker = start()
    assert site.is_in("worker", "ready")
    worker.send_signal(signal.SIGSTOP)
    assert site.is_in("worker", "disconnected")
    worker.send_signal(signal.SIGCONT)
    assert site.is_in("worker", "ready")
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(30) == 0
    assert site.is_in("worker", "stopped")


def test_a_late_one_ends(site: Site, start: Start) -> None:
    first = start()
    assert site.is_in("worker", "ready")
    start()
    assert site.is_in("worker", "ready", epoch=2)
    assert first.wait(30) == 1
    assert first.stderr is not None and "instance" in (told := first.stderr.read()) and "Traceback" not in told
