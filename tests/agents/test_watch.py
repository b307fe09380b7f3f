"""The monitor's watch with the real Valkey and store and a clock of its own: who is lost, who hangs, for whose absence nobody is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from continuity.models import Agent, AttemptStatus, Event, RecoveryAttempt, Team
from continuity.services.agents import beats, recovery
from continuity.services.jobs import broker
from tests.agents.runner import RUNNER, Monitor, Runner, back_off_is_over, status


def test_it_works(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", "b")
    monitor.look(10, beating=runner.beat)
    monitor.look(4, beating=lambda: runner.beat("b"))
    assert status(team, "a") == "ready"
    monitor.look(1, beating=lambda: runner.beat("b"))
    assert (status(team, "a"), status(team, "b")) == ("recovering", "ready")
    attempt = RecoveryAttempt.objects.get()
    assert attempt.cause == "lost"
    assert 4000 < (attempt.detection_ms or 0) <= 5000
    runner.restarts("a", runner.orders("a")[0]["attempt"])
    assert status(team, "a") == "ready"


def test_a_runner_that_sleeps_with_all_its_agents_takes_them_up_again(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", "b")
    runner.beat("a", working=True)
    monitor.look(4, beating=runner.beat)
    monitor.look(40)
    assert [status(team, name) for name in "ab"] == ["disconnected"] * 2
    assert Agent.objects.get(name="a").reason == "runner silent"
    assert not RecoveryAttempt.objects.exists()
    assert [each["status"] for each in runner.beat().json()["agents"]] == ["active", "ready"]
    assert [each.failures for each in Agent.objects.all()] == [0, 0]
    assert Event.objects.filter(name="agent.returned").count() == 2


def test_a_runner_that_stays_away_is_told_of_and_may_still_return(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a")
    monitor.look(4, beating=runner.beat)
    monitor.look(70)
    assert status(team, "a") == "disconnected"
    assert RecoveryAttempt.objects.get().status == AttemptStatus.TOLD
    assert Event.objects.filter(name="agent.lost").count() == 1
    monitor.look(120)
    assert RecoveryAttempt.objects.count() == 1
    assert runner.beat().json()["agents"][0] == {"agent": "a", "result": "ok", "status": "ready", "epoch": 1, "orders": []}


def test_one_that_beats_by_itself_is_told_of_at_once(team: Team, monitor: Monitor) -> None:
    alone = Runner(team, name="")
    alone.start("a")
    monitor.look(4, beating=alone.beat)
    monitor.look(5)
    assert (status(team, "a"), RecoveryAttempt.objects.get().status) == ("disconnected", AttemptStatus.TOLD)
    assert alone.beat().json()["agents"][0]["status"] == "ready"


def absences(monitor: Monitor, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    def stood_still() -> None:
        monitor.step(30)

    def valkey_away() -> None:
        with monkeypatch.context() as patched:
            patched.setattr(broker, "try_call", lambda work: False)
            monitor.look(60)

    def valkey_forgot() -> None:
        broker.client().delete(beats.BEATS, beats.NUMBER, beats.PROBES, beats.PRESENCE)

    def web_away() -> None:
        monitor.web_is_there = False
        monitor.look(60)
        monitor.web_is_there = True

    def clock_back() -> None:
        monitor.now -= timedelta(hours=3)

    def clock_forward() -> None:
        monitor.now += timedelta(hours=3)

    return {each.__name__: each for each in (stood_still, valkey_away, valkey_forgot, web_away, clock_back, clock_forward)}


@pytest.mark.parametrize("absence", ["stood_still", "valkey_away", "valkey_forgot", "web_away", "clock_back", "clock_forward"])
def test_for_our_own_absence_nobody_is_lost(
    runner: Runner, team: Team, monitor: Monitor, monkeypatch: pytest.MonkeyPatch, absence: str
) -> None:
    runner.start("a", "b", probe=True)
    monitor.look(6, beating=lambda: answering(runner))
    absences(monitor, monkeypatch)[absence]()
    monitor.look(4)  # one window follows
    monitor.look(10, beating=lambda: answering(runner))
    assert [status(team, name) for name in "ab"] == ["ready"] * 2
    assert not RecoveryAttempt.objects.exists()
    assert not Event.objects.filter(name="agent.disconnected").exists()
    monitor.look(10, beating=lambda: answering(runner, "b"))
    assert status(team, "a") == "recovering"


def test_after_a_store_that_hung_while_somebody_was_declared_lost_nobody_is(runner: Runner, team: Team) -> None:
    runner.start("a")
    agent = Agent.objects.get()
    assert recovery.lost(agent_id=agent.id, epoch=1, alone=True, detection_ms=5000, now=agent.status_at, timely=lambda: False) is None
    assert status(team, "a") == "ready"


def test_one_that_came_back_in_between_is_not_lost(runner: Runner, team: Team) -> None:
    runner.start("a")
    agent = Agent.objects.get()
    assert recovery.lost(agent_id=agent.id, epoch=0, alone=True, detection_ms=5000, now=agent.status_at) is None
    assert recovery.zombie(agent_id=agent.id, epoch=0, now=agent.status_at) is None
    assert status(team, "a") == "ready"


def answering(runner: Runner, *names: str, ok: bool = True) -> None:
    """Beats, and answers each probe with a beat at once, as a runner does."""
    for told in runner.beat(*names).json()["agents"]:
        for order in told["orders"]:
            if order["kind"] == "probe":
                runner.beat(told["agent"], probe={"id": order["id"], "ok": ok})


def test_one_that_answers_its_probes_is_left_alone(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", probe=True)
    monitor.look(60, beating=lambda: answering(runner))
    assert status(team, "a") == "ready"


def test_beats_without_an_answer_are_those_of_a_zombie(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", probe=True)
    runner.start("b")
    monitor.look(8, beating=runner.beat)
    assert status(team, "a") == "ready"
    monitor.look(8, beating=runner.beat)
    assert (status(team, "a"), status(team, "b")) == ("recovering", "ready")
    assert RecoveryAttempt.objects.get().cause == "zombie"
    assert [each["kind"] for each in runner.orders("a")] == ["restart"]


def test_a_runner_that_says_so_need_not_wait(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", probe=True)
    monitor.look(4, beating=lambda: answering(runner, ok=False))
    assert RecoveryAttempt.objects.get().cause == "zombie"


def test_the_answer_to_another_probe_is_none(runner: Runner, monitor: Monitor) -> None:
    runner.start("a", probe=True)
    monitor.look(16, beating=lambda: runner.beat("a", probe={"id": "0" * 32, "ok": True}))
    assert RecoveryAttempt.objects.get().cause == "zombie"


def test_a_restoration_has_thirty_seconds_in_all(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a")
    told = runner.dies("a")
    back_off_is_over("a")
    runner.claim("a", told["attempt"])
    monitor.look(29, beating=runner.beat)
    assert status(team, "a") == "recovering"
    monitor.look(2, beating=runner.beat)
    assert (status(team, "a"), Agent.objects.get().reason) == ("failed", "timed_out")
    refused = runner.post("a", "ready")
    assert (refused.status_code, refused.json()["code"]) == (409, "fenced")
    assert Event.objects.filter(name="agent.failed").count() == 1


def test_a_clock_that_is_set_ends_no_restoration(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a")
    told = runner.dies("a")
    back_off_is_over("a")
    runner.claim("a", told["attempt"])
    monitor.look(5)
    monitor.now += timedelta(hours=3)
    monitor.look(5)
    assert runner.post("a", "ready").status_code == 200


def test_what_nobody_claims_failed(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a")
    runner.dies("a")
    monitor.look(59)
    assert status(team, "a") == "recovering"
    monitor.look(4)
    assert status(team, "a") == "failed"


def test_agents_of_others_with_a_runner_of_the_same_name_tell_nothing(
    runner: Runner, team: Team, other_team: Team, monitor: Monitor
) -> None:
    theirs = Runner(other_team, name=RUNNER)
    runner.start("a")
    theirs.start("a")
    monitor.look(4, beating=lambda: (runner.beat(), theirs.beat()))
    monitor.look(6, beating=theirs.beat)
    assert (status(team, "a"), Agent.objects.get(team=team).reason) == ("disconnected", "runner silent")
    assert status(other_team, "a") == "ready"


def test_runners_that_nobody_hears_of_any_more_are_forgotten(
    runner: Runner, team: Team, monitor: Monitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beats, "KEPT_CALLS", 5)
    runner.start("a")
    stranger = {"agent": "x", "epoch": 1, "instance": str(uuid4())}
    for number in range(20):
        runner.caller.post("/agents/heartbeats", {"runner": f"gone {number}", "beats": [stranger]})
    monitor.look(2, beating=runner.beat)
    assert broker.client().zcard(beats.BEATS) <= 2 + 2 * 5
    monitor.look(10, beating=runner.beat)
    assert status(team, "a") == "ready"


def test_where_there_is_nobody_it_rests(monitor: Monitor) -> None:
    due = monitor.watch(monitor.now)
    assert due == monitor.now + timedelta(seconds=2)
