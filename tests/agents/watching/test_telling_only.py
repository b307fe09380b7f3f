"""Where nobody recovers an agent a person is told, and nothing else is done: also where it hangs, and while its team is in degradation."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from continuity.agents.strategies import RecoveryAction, choose
from continuity.models import Agent, AgentOrder, AttemptStatus, Event, Incident, RecoveryAttempt, Team
from continuity.services.agents import recovery
from diagnostics.models import Alert
from handoffs import handlers
from handoffs.models import Handoff
from handoffs.services.chains import backup_handoff
from handoffs.services.packages import lifecycle, policies
from handoffs.services.packages.authors import Author
from tests.agents.runner import Monitor, Runner, resumed_order, status
from tests.agents.test_watch import answering
from tests.api.caller import Caller


def saves(runner: Runner, name: str) -> int:
    return runner.caller.call("PUT", f"/agents/{name}/state", {**runner.known[name], "state": {"context": {}}}).status_code


@pytest.fixture(params=["with its runner", "by itself"])
def told(request: pytest.FixtureRequest, runner: Runner, team: Team) -> Runner:
    """An agent that nobody starts anew, and that answers probes: one with the strategy `alert`, and one of whom no runner knows."""
    runs = runner if request.param == "with its runner" else Runner(team, name="")
    runs.start("a", probe=True, strategy="alert" if runs is runner else "restart")
    return runs


def test_it_works(told: Runner, team: Team, monitor: Monitor, django_capture_on_commit_callbacks: Any) -> None:
    """It hangs: a person is told, once. It is the same instance all the while, and taken back when it answers."""
    with django_capture_on_commit_callbacks(execute=True):
        monitor.look(20, beating=lambda: told.beat(working=True))
    assert (status(team, "a"), Agent.objects.get().reason, Agent.objects.get().epoch) == ("disconnected", "zombie", 1)
    assert Alert.objects.open().get().message == "does not answer its probes"
    monitor.look(60, beating=lambda: told.beat(working=True))
    assert [(each.cause, each.status) for each in RecoveryAttempt.objects.all()] == [("zombie", AttemptStatus.TOLD)]
    beat = told.beat().json()["agents"][0]
    assert (beat["result"], beat["status"]) == ("ok", "disconnected")
    assert saves(told, "a") == 200
    with django_capture_on_commit_callbacks(execute=True):
        monitor.look(12, beating=lambda: answering(told))
    assert (status(team, "a"), Agent.objects.get().epoch) == ("active", 1)
    assert Event.objects.filter(name="agent.returned").count() == 1
    assert not Alert.objects.open().exists()
    assert not AgentOrder.objects.exists()


def test_it_may_hang_as_often_as_it_likes(told: Runner, team: Team, monitor: Monitor) -> None:
    """Also within its window, in which no failure is forgiven."""
    told.post("a", "describe", window=600)
    for _ in range(5):
        monitor.look(12, beating=lambda: answering(told, ok=False))
        monitor.look(12, beating=lambda: answering(told))
    assert (status(team, "a"), Agent.objects.get().failures, told.beat().status_code) == ("ready", 5, 200)


def test_one_that_hung_and_was_away_with_its_runner_comes_back_by_its_answer(told: Runner, team: Team, monitor: Monitor) -> None:
    monitor.look(20, beating=told.beat)
    monitor.look(90)
    assert status(team, "a") == "disconnected"
    monitor.look(14, beating=lambda: answering(told))
    assert status(team, "a") == "ready"


def test_one_that_answers_no_probes_any_more_comes_back_by_its_beat(told: Runner, team: Team, monitor: Monitor) -> None:
    monitor.look(20, beating=told.beat)
    assert told.post("a", "describe", probe=False).status_code == 200
    assert told.beat().json()["agents"][0]["status"] == "ready"


def test_what_hung_can_be_restarted_by_a_person_where_it_has_a_runner(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", strategy="alert", probe=True)
    monitor.look(20, beating=runner.beat)
    assert Caller.of(team).post("/agents/a/orders", {"kind": "restart"}).status_code == 201
    assert status(team, "a") == "recovering"


def test_degradation_tries_only_those_whose_strategy_recovers(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", strategy="alert")
    runner.start("b", "c", "d", threshold=0)
    runner.beat()
    for name in "abcd":
        runner.dies(name)
    assert Incident.objects.count() == 1
    monitor.now = timezone.now()
    monitor.look(65, beating=runner.beat)
    assert [status(team, name) for name in "abcd"] == ["failed", "recovering", "recovering", "recovering"]
    assert set(AgentOrder.objects.values_list("agent__name", flat=True)) == set("bcd")
    assert recovery.try_again(agent_id=Agent.objects.get(name="a").id, now=timezone.now()) is None


def test_degradation_leaves_a_briefing_that_waits_for_its_approval(pair: Runner, team: Team, monitor: Monitor) -> None:
    policies.change(team=team, conversation=None, changes={"review": True}, author=Author())
    pair.start(*"xyz", threshold=0)
    pair.beat()
    for name in "axyz":
        pair.dies(name)
    backup_handoff.relieve_pending()
    assert Incident.objects.count() == 1
    monitor.now = timezone.now()
    monitor.look(65, beating=pair.beat)
    assert [status(team, name) for name in "ax"] == ["failed", "recovering"]
    assert Agent.objects.get(name="a").reason == "briefing waits for review"
    lifecycle.make_ready(team=team, handoff_id=Handoff.objects.get().id, author=Author())
    handlers.go_on_after_review(Event.objects.get(name="handoff.made_ready"))
    assert resumed_order(pair)["handoff_id"] == str(Handoff.objects.get().id)


@pytest.mark.parametrize("failures", [1, 3, 4, 1000])
def test_whom_nobody_can_start_is_told_of_however_often(failures: int) -> None:
    made = choose(strategy="restart", failures=failures, threshold=3, has_runner=False, backup_is_there=False)
    assert made.action == RecoveryAction.ALERT
