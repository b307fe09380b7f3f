"""Runner, library and server together, in processes of their own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from continuity.client.agents import Agent
from continuity.client.connection import Connection, Refused
from continuity.client.credentials import Credentials
from continuity.client.events import Subscriber
from continuity.client.runner.machine import began_at
from continuity.storage.state_digest import digest_of
from tests.client.runner.conftest import Runners
from tests.platform.running import PATIENCE_SECONDS, Application, eventually, key_of

pytestmark = pytest.mark.processes


class Site:
    """A whole Continuity, and who asks it."""

    def __init__(self, application: Application) -> None:
        self.url, self.key = f"http://127.0.0.1:{application.port}", key_of(application)
        self.calls = Connection(Credentials(self.url, self.key))

    def agent(self, name: str) -> dict[str, Any]:
        try:
            return dict(self.calls.call("GET", f"/agents/{name}"))
        except Refused:
            return {"status": "", "epoch": 0, "failures": 0}

    def is_in(self, name: str, *statuses: str, epoch: int = 0, seconds: float = PATIENCE_SECONDS) -> bool:
        return eventually(lambda: (found := self.agent(name))["status"] in statuses and found["epoch"] >= epoch, seconds)

    def instances(self, name: str) -> list[dict[str, Any]]:
        return list(self.calls.call("GET", f"/agents/{name}/instances")["items"])

    def has_acknowledged(self, name: str) -> bool:
        rows = self.calls.call("GET", "/subscriptions")["items"]
        return any(row["name"] == name and row["acknowledged_at"] for row in rows)

    def order(self, name: str, kind: str) -> None:
        self.calls.call("POST", f"/agents/{name}/orders", {"kind": kind})


@pytest.fixture(scope="module")
def site(for_agents: Callable[[], Application]) -> Site:
    return Site(for_agents())


@pytest.fixture
def runners(home: Path, site: Site) -> Iterator[Runners]:
    made = Runners(home, site.url, site.key)
    yield made
    made.end()


def test_it_works(site: Site, runners: Runners) -> None:
    """kill -9: started anew with an equal state and what it missed, and only then ready."""
    runner = runners.agent("library", "library")
    assert site.is_in("library", "ready"), runners.told("library")
    publisher = Subscriber("publisher", url=site.url, key=site.key)
    publisher.publish("task:one", critical=True)
    assert eventually(lambda: counted(runners) == [1]), (counted(runners), runners.told("library"))
    assert eventually(lambda: site.has_acknowledged("library"))  # Killed before, it would rightly get the event again.
    before = site.agent("library")["epoch"]
    child = runners.child_of(runner)
    os.kill(child, signal.SIGSTOP)
    publisher.publish("task:two", critical=True)
    os.kill(child, signal.SIGKILL)
    assert site.is_in("library", "ready", epoch=before + 1), runners.told("library")
    assert counted(runners) == [1, 2], runners.told("library")
    again, first = (each for each in site.instances("library") if each["ready_at"])
    stored = {"config": {}, "context": {"seen": {"count": 1}}, "messages": []}
    assert (first["state_digest"], again["state_digest"]) == ("", digest_of(stored))
    handled = [float(line) for line in (runners.home / "handled").read_text().split()]
    assert datetime.fromisoformat(first["ready_at"]).timestamp() < handled[0]
    assert handled[1] < datetime.fromisoformat(again["ready_at"]).timestamp()


def counted(runners: Runners) -> list[int]:
    path = runners.home / "counted"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def test_one_that_hangs_is_a_zombie_and_started_anew(site: Site, runners: Runners) -> None:
    runner = runners.agent("hanging", "library")
    assert site.is_in("hanging", "ready"), runners.told("hanging")
    child = runners.child_of(runner)
    os.kill(child, signal.SIGSTOP)
    assert site.is_in("hanging", "ready", epoch=site.agent("hanging")["epoch"] + 1), runners.told("hanging")
    assert not began_at(child)
    recoveries = site.calls.call("GET", "/agents/hanging/recoveries")["items"]
    assert recoveries[0]["cause"] == "zombie"


def test_what_the_code_says_of_itself_holds_under_a_runner(site: Site, runners: Runners) -> None:
    runners.agent("described", "library", options=("--strategy", "alert"))
    assert site.is_in("described", "ready"), runners.told("described")
    found = site.agent("described")
    assert (found["expertise"], found["topics"], found["strategy"]) == (["counting"], ["task:*"], "alert")
    assert found["epoch"] == 1


def test_orders_from_the_page(site: Site, runners: Runners) -> None:
    runner = runners.agent("ordered", "tool")
    assert site.is_in("ordered", "ready"), runners.told("ordered")
    child = runners.child_of(runner)
    site.order("ordered", "save_state")
    assert eventually(lambda: [each["status"] for each in site.calls.call("GET", "/agents/ordered/orders")["items"]] == ["done"])
    site.order("ordered", "restart")
    assert site.is_in("ordered", "ready", epoch=2), runners.told("ordered")
    assert eventually(lambda: not began_at(child))
    site.order("ordered", "stop")
    assert runner.wait(60) == 0
    assert site.is_in("ordered", "stopped")


def test_a_backup_goes_on_from_a_briefing(site: Site, runners: Runners) -> None:
    runners.agent("reserve", "heir")
    file = runners.home / "agents.yaml"
    file.write_text("agents:\n  - name: worker\n    strategy: replace\n    backup: reserve\n")
    runner = runners.agent("worker", "talker", options=("--config", str(file)))
    assert site.is_in("reserve", "ready"), runners.told("reserve")
    assert site.is_in("worker", "ready"), runners.told("worker")
    assert eventually(lambda: bool(site.agent("worker")["conversation_id"]))
    time.sleep(1)
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert site.is_in("worker", "stopped"), runners.told("worker")
    assert runner.wait(30) == 128 + signal.SIGKILL
    assert eventually((runners.home / "briefing").exists)
    told = (runners.home / "briefing").read_text()
    assert "from worker" in told
    assert "Never send an invoice twice." in told
    assert "Next is Jones." in told


def test_a_machine_that_sleeps_is_taken_back(site: Site, runners: Runners) -> None:
    runner = runners.agent("laptop", "library")
    assert site.is_in("laptop", "ready"), runners.told("laptop")
    child, epoch = runners.child_of(runner), site.agent("laptop")["epoch"]
    for pid in (runner.pid, child):
        os.kill(pid, signal.SIGSTOP)
    assert site.is_in("laptop", "disconnected"), "lost while it slept"
    for pid in (child, runner.pid):
        os.kill(pid, signal.SIGCONT)
    assert site.is_in("laptop", "ready", "active"), runners.told("laptop")
    assert (site.agent("laptop")["epoch"], site.agent("laptop")["failures"]) == (epoch, 0)
    assert runners.child_of(runner) == child


def test_an_error_in_the_file_is_told_by_line(site: Site, runners: Runners) -> None:
    file = runners.home / "agents.yaml"
    file.write_text("agents:\n  - name: wrong\n    strategy: perhaps\n")
    assert runners.agent("wrong", "tool", options=("--config", str(file))).wait(30) == 1
    assert "line 3" in runners.told("wrong")


def test_an_agent_alone_that_fails_a_probe_goes_on_and_is_taken_back(site: Site) -> None:
    """Of a name that fails in another test, too: a fourth one within half a minute were an incident."""
    works: list[bool] = []
    agent = Agent("hanging", url=site.url, key=site.key)
    agent.probe(lambda: bool(works))
    with agent:
        assert site.is_in("hanging", "ready")
        epoch = site.agent("hanging")["epoch"]
        assert site.is_in("hanging", "disconnected")
        agent.state("counted")["to"] = 3
        assert agent.save()
        works.append(True)
        assert site.is_in("hanging", "ready")
        assert (site.agent("hanging")["epoch"], agent.stopped) == (epoch, False)


def test_an_agent_alone(site: Site) -> None:
    with Agent("alone", url=site.url, key=site.key, expertise=["x"]) as agent:
        assert site.is_in("alone", "ready")
        agent.hear("Count to three.")
        agent.say("One, two, three.")
        agent.state("counted")["to"] = 3
    assert site.is_in("alone", "stopped")
    with Agent("alone", url=site.url, key=site.key) as again:
        assert again.state("counted") == {"to": 3}
        assert [message["content"] for message in again.messages] == ["Count to three.", "One, two, three."]
