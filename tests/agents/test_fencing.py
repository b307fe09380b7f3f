"""A late old instance is refused with every kind of write."""

from __future__ import annotations

import threading
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from continuity.core.errors import Fenced
from continuity.models import Agent, AgentInstance, Event, Team
from continuity.services.agents import epochs
from tests.agents.runner import Runner, back_off_is_over, status
from tests.api.caller import Caller, person

LATE: dict[str, dict[str, Any]] = {
    "ready": {},
    "stop": {},
    "conversation": {"title": "Late"},
    "orders/00000000-0000-4000-8000-00000000000b/ack": {},
}


@pytest.fixture
def late(runner: Runner) -> dict[str, Any]:
    """The epoch and instance of the one that ran before."""
    runner.start("a")
    before = dict(runner.known["a"])
    told = runner.dies("a")
    back_off_is_over("a")
    runner.claim("a", told["attempt"])
    return before


@pytest.mark.parametrize("what", LATE)
def test_it_works(runner: Runner, late: dict[str, Any], what: str) -> None:
    """Whatever it says, it is fenced."""
    answer = runner.caller.post(f"/agents/a/{what}", {**late, **LATE[what]})
    assert (answer.status_code, answer.json()["code"]) == (409, "fenced")
    assert (answer.json()["current"], answer.json()["given"]) == (3, 1)


def test_so_are_its_beats_and_what_it_works_on(runner: Runner, late: dict[str, Any], team: Team) -> None:
    beat = {"beats": [{"agent": "a", **late, "working": True}], "runner": runner.name}
    assert runner.caller.post("/agents/heartbeats", beat).json()["code"] == "fenced"
    assert runner.caller.patch("/agents/a", {**late, "conversation_id": None}).json()["code"] == "fenced"
    assert status(team, "a") == "recovering"


def test_one_of_many_is_told_in_its_line(runner: Runner, late: dict[str, Any]) -> None:
    runner.start("b")
    beats = [{"agent": "a", **late}, {"agent": "b", **runner.known["b"]}, {"agent": "nobody", **runner.known["b"]}]
    told = runner.caller.post("/agents/heartbeats", {"runner": runner.name, "beats": beats}).json()["agents"]
    assert [each["result"] for each in told] == ["fenced", "ok", "unknown"]


def test_a_late_beat_beside_that_of_the_present_instance_is_told_so(runner: Runner, late: dict[str, Any], team: Team) -> None:
    runner.post("a", "ready")
    Caller.of(team).post("/agents/a/orders", {"kind": "save_state"})
    beats = [{"agent": "a", **runner.known["a"]}, {"agent": "a", **late, "working": True}]
    told = runner.caller.post("/agents/heartbeats", {"runner": runner.name, "beats": beats}).json()["agents"]
    assert [(each["result"], each["status"], len(each["orders"])) for each in told] == [("ok", "ready", 1), ("fenced", "ready", 0)]


def test_the_right_epoch_with_another_instance_is_none(runner: Runner, late: dict[str, Any]) -> None:
    stranger = {"epoch": runner.known["a"]["epoch"], "instance": str(uuid4())}
    assert runner.caller.post("/agents/a/ready", stranger).json()["code"] == "fenced"


def test_its_end_is_told_again_but_another_ones_is_not(runner: Runner, late: dict[str, Any]) -> None:
    assert runner.caller.post("/agents/a/ended", late).status_code == 200
    assert runner.caller.post("/agents/a/ended", {**late, "instance": str(uuid4())}).json()["code"] == "fenced"
    assert Agent.objects.get().failures == 1


def test_any_write_that_names_the_agent_is_refused(runner: Runner, late: dict[str, Any], team: Team) -> None:
    caller = Caller.of(team)
    conversation = caller.open()
    messages = {"messages": [person("Hello")]}
    current = f"a/{runner.known['a']['epoch']}"
    for path, body in {f"/conversations/{conversation}/messages": messages, "/events": {"events": [{"topic": "task:done"}]}}.items():
        refused = caller.post(path, body, Continuity_Agent="a/1")
        assert (refused.status_code, refused.json()["code"]) == (409, "fenced")
        assert caller.post(path, body, Continuity_Agent=current).status_code in (200, 201)
    assert caller.client.get("/api/v1/conversations", headers={"Continuity-Agent": "a/1"}).status_code == 200
    assert Event.objects.filter(name="event.published").count() == 1


@pytest.mark.parametrize("header", ["a", "a/", "a/x", "a/-1", "a/1.5", "a/٣", "/1", "nobody/1", "a/99999999999"])
def test_a_name_that_is_none_is_refused(runner: Runner, team: Team, header: str) -> None:
    runner.start("a")
    answer = Caller.of(team).post("/conversations", {}, Continuity_Agent=header.encode().decode("latin-1"))
    assert answer.status_code in (404, 422)


@pytest.mark.django_db(transaction=True)
def test_of_many_that_begin_at_once_one_does(team: Team, runner: Runner) -> None:
    runner.start("a")
    agent = Agent.objects.get()
    together, begun, refused = threading.Barrier(8), [], []

    def begin() -> None:
        together.wait()
        try:
            begun.append(epochs.begin(Agent.objects.get(), runner="", expected=agent.epoch))
        except Fenced as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(begun), len(refused)) == (1, 7)
    assert AgentInstance.objects.count() == 2
