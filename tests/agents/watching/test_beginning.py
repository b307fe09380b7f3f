"""Agents that registered and are not ready yet: they are waited for as others are, and for no longer than a restoration may take."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.agents import statuses
from continuity.agents.statuses import AgentStatus
from continuity.models import Agent, AgentOrder, AttemptStatus, Event, Incident, RecoveryAttempt, Team
from continuity.services.agents import capacity
from tests.agents.runner import Monitor, Runner, status
from tests.agents.test_watch import absences, answering


def test_it_works(runner: Runner, team: Team, monitor: Monitor) -> None:
    """It beats and is never ready: after 30 seconds it failed, as a restoration would have."""
    runner.start("a", ready=False)
    assert runner.post("a", "conversation", title="Invoices").status_code == 201
    monitor.look(29, beating=runner.beat)
    assert (status(team, "a"), capacity.of_team(team).live) == ("registered", 1)
    monitor.look(3, beating=runner.beat)
    assert (status(team, "a"), Agent.objects.get().reason, capacity.of_team(team).live) == ("failed", "timed_out", 0)
    attempt = RecoveryAttempt.objects.get()
    assert (attempt.cause, attempt.status, attempt.failures) == ("timed_out", AttemptStatus.TOLD, 1)
    assert Event.objects.get(name="agent.failed").critical
    refused = runner.post("a", "ready")
    assert (refused.status_code, refused.json()["code"]) == (409, "fenced")


def test_its_own_timeout_counts(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", timeout=5, ready=False)
    runner.start("b", timeout=60, ready=False)
    monitor.look(7, beating=runner.beat)
    assert (status(team, "a"), status(team, "b")) == ("failed", "registered")


def test_one_that_falls_silent_is_lost_after_five_seconds(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", ready=False)
    runner.start("b")
    monitor.look(6, beating=runner.beat)
    monitor.look(5, beating=lambda: runner.beat("b"))
    assert (status(team, "a"), status(team, "b")) == ("recovering", "ready")
    attempt = RecoveryAttempt.objects.get()
    assert attempt.cause == "lost"
    assert 4000 < (attempt.detection_ms or 0) <= 5500
    runner.restarts("a", runner.orders("a")[0]["attempt"])
    assert status(team, "a") == "ready"


def test_one_that_dies_with_its_runner_keeps_no_place(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", ready=False)
    runner.post("a", "conversation", title="Invoices")
    monitor.look(4, beating=runner.beat)
    monitor.look(600, every=30)
    assert (status(team, "a"), capacity.of_team(team).live) == ("disconnected", 0)
    assert RecoveryAttempt.objects.get().cause == "runner_gone"


def test_one_that_registers_and_beats_only_once_it_is_ready_has_all_the_time_there_is(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", ready=False)
    monitor.look(28)
    assert status(team, "a") == "registered"
    assert runner.post("a", "ready").status_code == 200
    monitor.look(10, beating=runner.beat)
    assert (status(team, "a"), RecoveryAttempt.objects.count()) == ("ready", 0)


def test_one_that_says_nothing_at_all_failed_after_thirty_seconds(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", ready=False)
    monitor.look(32)
    assert (status(team, "a"), Agent.objects.get().reason) == ("failed", "timed_out")


def test_a_new_runner_is_not_measured_by_the_beats_of_the_one_before(runner: Runner, team: Team, monitor: Monitor) -> None:
    """Its program beats only once it is ready; the instance before beat a moment ago."""
    runner.start("a")
    monitor.look(10, beating=runner.beat)
    runner.beat()
    runner.start("a", ready=False)
    monitor.look(20)
    assert (status(team, "a"), RecoveryAttempt.objects.count()) == ("registered", 0)
    assert runner.post("a", "ready").status_code == 200


def test_a_machine_that_slept_while_it_began_goes_on_beginning(runner: Runner, team: Team, monitor: Monitor) -> None:
    """It is no more ready than it was, and has its time again."""
    runner.start("a", ready=False)
    monitor.look(25, beating=runner.beat)
    monitor.look(40)
    assert (status(team, "a"), Agent.objects.get().reason) == ("disconnected", "runner silent")
    assert runner.beat(working=False).json()["agents"][0]["status"] == "registered"
    monitor.look(25, beating=runner.beat)
    assert (status(team, "a"), RecoveryAttempt.objects.count()) == ("registered", 0)
    assert runner.post("a", "ready").json()["status"] == "ready"


def test_one_that_is_alone_and_comes_back_may_still_be_ready(team: Team, monitor: Monitor) -> None:
    alone = Runner(team, name="")
    alone.start("a", ready=False)
    monitor.look(4, beating=alone.beat)
    monitor.look(6)
    assert (status(team, "a"), RecoveryAttempt.objects.get().status) == ("disconnected", AttemptStatus.TOLD)
    assert alone.post("a", "ready").json()["status"] == "ready"


@pytest.mark.parametrize("absence", ["stood_still", "valkey_away", "valkey_forgot", "web_away", "clock_back", "clock_forward"])
def test_our_own_absence_ends_nobody_who_begins(
    runner: Runner, team: Team, monitor: Monitor, monkeypatch: pytest.MonkeyPatch, absence: str
) -> None:
    runner.start("beats", "waits", ready=False)
    monitor.look(6, beating=lambda: runner.beat("beats"))
    absences(monitor, monkeypatch)[absence]()
    monitor.look(4)  # one window follows
    monitor.look(10, beating=lambda: runner.beat("beats"))
    assert [status(team, name) for name in ("beats", "waits")] == ["registered"] * 2
    assert not RecoveryAttempt.objects.exists()


def test_a_monitor_that_stood_still_ends_no_restoration(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a")
    attempt = runner.dies("a")["attempt"]
    RecoveryAttempt.objects.update(due_at=RecoveryAttempt.objects.get().created_at)
    assert runner.claim("a", attempt).status_code == 201
    monitor.look(5, beating=lambda: answering(runner))
    monitor.step(40)
    monitor.look(5, beating=lambda: answering(runner))
    assert status(team, "a") == "recovering"
    assert runner.post("a", "ready").status_code == 200


def test_four_that_never_begin_are_an_incident(runner: Runner, monitor: Monitor) -> None:
    runner.start(*"abcd", ready=False)
    monitor.look(32, beating=runner.beat)
    assert Incident.objects.get().agents == ["a", "b", "c", "d"]
    assert not AgentOrder.objects.exists()


@pytest.mark.parametrize("working", [None, True, False])
def test_who_was_not_ready_is_not_ready_when_it_is_heard_of_again(working: Any) -> None:
    assert statuses.status_when_back(AgentStatus.REGISTERED, working=working) == AgentStatus.REGISTERED
