"""Agents that died: started anew with back-off, given up at the threshold, told of; orders of people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from continuity.models import Agent, AgentOrder, AttemptStatus, Event, RecoveryAttempt, Team
from continuity.services.agents import recovery
from tests.agents.runner import Runner, status
from tests.api.caller import Caller


@pytest.fixture
def operator(team: Team) -> Caller:
    return Caller.of(team)


def test_it_works(runner: Runner, team: Team) -> None:
    runner.start("a")
    told = runner.dies("a")
    assert (told["status"], told["action"], told["failures"]) == ("recovering", "restart", 1)
    assert 0 < told["after_ms"] <= 1000
    runner.restarts("a", told["attempt"])
    assert status(team, "a") == "ready"
    attempt = RecoveryAttempt.objects.get()
    assert (attempt.status, attempt.cause, attempt.signal, attempt.ended_epoch) == (AttemptStatus.SUCCEEDED, "killed", 9, 1)
    recovered = Event.objects.get(name="agent.recovered").payload
    assert recovered["transition_ms"] >= 0 and recovered["recovery_ms"] >= recovered["transition_ms"]
    assert runner.beat().json()["agents"][0]["result"] == "ok"
    assert runner.orders("a") == []


def test_told_twice_it_answers_the_same(runner: Runner) -> None:
    runner.start("a")
    first, second = runner.dies("a"), runner.dies("a")
    assert first["attempt"] == second["attempt"]
    assert second["after_ms"] <= first["after_ms"]
    assert RecoveryAttempt.objects.count() == 1


def test_told_twice_that_it_stopped_it_answers_the_same(runner: Runner) -> None:
    runner.start("a")
    first, second = (runner.dies("a", cause="exited", exit_code=0, signal=None) for _ in range(2))
    assert first == second


def test_one_that_was_lost_and_came_back_can_still_die(runner: Runner, team: Team) -> None:
    runner.start("a", strategy="alert")
    recovery.lost(agent_id=Agent.objects.get().id, epoch=1, alone=True, detection_ms=5000, now=timezone.now())
    assert runner.beat().json()["agents"][0]["status"] == "ready"
    assert runner.dies("a")["status"] == "failed"
    assert list(RecoveryAttempt.objects.order_by("created_at").values_list("cause", flat=True)) == ["lost", "killed"]


def test_the_order_comes_with_the_beats_too_until_somebody_claims(runner: Runner) -> None:
    runner.start("a")
    told = runner.dies("a")
    for _ in range(2):
        found = runner.beat().json()["agents"][0]
        assert (found["result"], found["status"]) == ("over", "recovering")
        assert [(each["kind"], each["attempt"], each["epoch"]) for each in found["orders"]] == [("restart", told["attempt"], 1)]
    runner.restarts("a", told["attempt"])
    assert AgentOrder.objects.get().status == "done"


def test_the_back_off_doubles_and_is_kept(runner: Runner) -> None:
    runner.start("a", threshold=4)
    waits = []
    for _ in range(3):
        told = runner.dies("a")
        refused = runner.claim("a", told["attempt"])
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, str(refused.json()["retry_after"]))
        waits.append(RecoveryAttempt.objects.order_by("-created_at").first())
        runner.restarts("a", told["attempt"])
    assert [(each.due_at < each.created_at, each.failures) for each in waits if each] == [(False, 1), (False, 2), (False, 3)]
    pauses = [round((each.due_at - each.created_at).total_seconds()) for each in waits if each]
    assert pauses == [1, 2, 4]


def test_beyond_the_threshold_it_failed_and_waits_for_a_person(runner: Runner, team: Team, operator: Caller) -> None:
    runner.start("a", threshold=2)
    for _ in range(2):
        runner.restarts("a", runner.dies("a")["attempt"])
    told = runner.dies("a")
    assert (told["status"], told["action"], told["failures"]) == ("failed", "none", 3)
    assert Event.objects.get(name="agent.failed").critical
    assert runner.beat().json()["agents"][0]["result"] == "over"
    assert runner.claim("a", told["attempt"]).status_code == 404
    assert operator.post("/agents/a/orders", {"kind": "restart"}).status_code == 201
    order = runner.orders("a")[0]
    runner.restarts("a", order["attempt"])
    assert (status(team, "a"), Agent.objects.get().failures) == ("ready", 0)


def test_failures_are_forgiven_after_a_while_of_being_ready(runner: Runner) -> None:
    runner.start("a", threshold=1, window=60)
    runner.restarts("a", runner.dies("a")["attempt"])
    Agent.objects.update(ready_at=timezone.now() - timedelta(seconds=61))
    assert runner.dies("a")["failures"] == 1


def test_that_the_one_before_was_ready_for_long_forgives_nothing_to_those_after_it(runner: Runner) -> None:
    runner.start("a", window=60)
    Agent.objects.update(ready_at=timezone.now() - timedelta(hours=2))
    told = runner.dies("a")
    counted = [told["failures"]]
    while told["action"] == "restart" and len(counted) < 9:
        RecoveryAttempt.objects.update(due_at=timezone.now())
        assert runner.claim("a", told["attempt"]).status_code == 201
        told = runner.dies("a", cause="start_failed")
        counted.append(told["failures"])
    assert (counted, told["status"]) == ([1, 2, 3, 4], "failed")


def test_an_instance_that_dies_while_it_restores_is_a_failure_more(runner: Runner) -> None:
    runner.start("a")
    told = runner.dies("a")
    RecoveryAttempt.objects.update(due_at=timezone.now())
    assert runner.claim("a", told["attempt"]).status_code == 201
    again = runner.dies("a", cause="start_failed")
    assert (again["failures"], again["action"]) == (2, "restart")
    assert sorted(RecoveryAttempt.objects.values_list("status", flat=True)) == [AttemptStatus.FAILED, AttemptStatus.WAITING]


def test_one_that_ends_with_0_stopped(runner: Runner, team: Team) -> None:
    runner.start("a")
    assert runner.dies("a", cause="exited", exit_code=0, signal=None)["action"] == "none"
    assert (status(team, "a"), RecoveryAttempt.objects.count()) == ("stopped", 0)


def test_alert_tells_only(runner: Runner, team: Team) -> None:
    runner.start("a", strategy="alert")
    told = runner.dies("a")
    assert (told["status"], told["action"]) == ("failed", "none")
    assert AgentOrder.objects.count() == 0
    assert Event.objects.filter(name="agent.failed").count() == 1


def test_without_a_runner_nobody_can_start_it(team: Team, operator: Caller) -> None:
    alone = Runner(team, name="")
    alone.start("a")
    assert alone.dies("a")["status"] == "failed"
    refused = operator.post("/agents/a/orders", {"kind": "restart"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_running")


def test_registering_anew_overtakes_what_was_to_be_done(runner: Runner) -> None:
    runner.start("a")
    told = runner.dies("a")
    runner.start("a")
    assert RecoveryAttempt.objects.get().status == AttemptStatus.OVERTAKEN
    assert runner.claim("a", told["attempt"]).json()["code"] == "fenced"
    assert runner.orders("a") == []


def test_of_two_that_claim_one_is_first(runner: Runner, team: Team) -> None:
    runner.start("a")
    told = runner.dies("a")
    RecoveryAttempt.objects.update(due_at=timezone.now())
    other = Runner(team, name="elsewhere")
    other.known = dict(runner.known)
    answers = [other.claim("a", told["attempt"]), runner.claim("a", told["attempt"])]
    assert [each.status_code for each in answers] == [201, 409]
    assert answers[1].json()["code"] == "fenced"
    assert Agent.objects.get().runner == "elsewhere"


def test_an_attempt_of_another_agent_is_not_there(runner: Runner) -> None:
    runner.start("a", "b")
    told = runner.dies("a")
    assert runner.claim("b", told["attempt"]).status_code == 404
    assert runner.claim("a", str(uuid4())).status_code == 404


def test_orders_of_people(runner: Runner, operator: Caller) -> None:
    runner.start("a")
    made = operator.post("/agents/a/orders", {"kind": "save_state"})
    assert (made.status_code, made.json()["asked_by"]) == (201, "key test")
    assert [each["kind"] for each in runner.orders("a")] == ["save_state"]
    assert [each["kind"] for each in runner.orders("a")] == ["save_state"]
    for _ in range(2):
        assert runner.post("a", f"orders/{made.json()['id']}/ack").status_code == 204
    assert runner.orders("a") == []
    operator.post("/agents/a/orders", {"kind": "stop"})
    assert [each["kind"] for each in runner.orders("a")] == ["stop"]
    runner.post("a", "stop", reason="ordered")
    assert set(AgentOrder.objects.values_list("kind", "status")) == {("save_state", "done"), ("stop", "done")}


def test_an_order_to_restart_ends_the_instance_and_is_no_failure(runner: Runner, operator: Caller) -> None:
    runner.start("a")
    assert operator.post("/agents/a/orders", {"kind": "restart"}).status_code == 201
    order = runner.orders("a")[0]
    assert order["after_ms"] == 0
    assert runner.post("a", "stop").json()["code"] == "fenced"
    assert runner.claim("a", order["attempt"]).status_code == 201
    assert Agent.objects.get().failures == 0


def test_what_failed_can_be_stopped_where_nobody_could_be_told(runner: Runner, team: Team, operator: Caller) -> None:
    runner.start("a", strategy="alert")
    runner.dies("a")
    assert operator.post("/agents/a/orders", {"kind": "stop"}).json()["status"] == "done"
    assert status(team, "a") == "stopped"


WRONG = [
    ({"kind": "probe"}, 422),
    ({"kind": "resume"}, 422),
    ({"kind": "dance"}, 422),
    ({"kind": "replace"}, 422),
    ({"kind": "replace", "backup": "a"}, 422),
]


@pytest.mark.parametrize(("order", "code"), WRONG)
def test_orders_that_nobody_can_give(runner: Runner, operator: Caller, order: Any, code: int) -> None:
    runner.start("a")
    assert operator.post("/agents/a/orders", order).status_code == code
    assert not AgentOrder.objects.exists()
