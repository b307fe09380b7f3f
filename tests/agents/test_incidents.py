"""A team whose agents fail together: nothing new is begun for agents until they are well again (FR-010a)."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from continuity.agents.strategies import FailureCause
from continuity.models import Agent, Event, Incident, RecoveryAttempt, Team
from continuity.services.agents import beats, incidents, recovery
from tests.agents.runner import Monitor, Runner, back_off_is_over, status
from tests.api.caller import Caller

SECOND = timedelta(seconds=1)


def fail(runner: Runner, name: str, now: datetime) -> None:
    known = runner.known[name]
    recovery.ended(team=runner.team, name=name, cause=FailureCause.KILLED, now=now, epoch=known["epoch"], instance=UUID(known["instance"]))


def four(runner: Runner, last: int, **given: Any) -> None:
    """Four agents fail, the last of them so many seconds after the first."""
    runner.start("a", "b", "c", "d", **given)
    begun = timezone.now()
    for name, seconds in zip("abcd", (0, 10, 20, last), strict=True):
        fail(runner, name, begun + seconds * SECOND)


def test_it_works(runner: Runner, team: Team, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL, "continuity.agents"):
        four(runner, 29)
    incident = Incident.objects.get()
    assert (incident.team, incident.agents, incident.limit) == (team, ["a", "b", "c", "d"], 50)
    assert incident.correlation_id
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]
    assert Event.objects.get(name="team.degraded").critical


def test_four_in_31_seconds_are_none(runner: Runner) -> None:
    four(runner, 31)
    assert not Incident.objects.exists()


def test_one_that_fails_four_times_is_one(runner: Runner) -> None:
    runner.start("a", threshold=9)
    for _ in range(4):
        runner.restarts("a", runner.dies("a")["attempt"])
    assert not Incident.objects.exists()


def test_what_people_ordered_is_no_failure(runner: Runner, team: Team) -> None:
    runner.start(*"abcd")
    for name in "abcd":
        Caller.of(team).post(f"/agents/{name}/orders", {"kind": "restart"})
    assert not Incident.objects.exists()


def test_a_laptop_that_sleeps_is_none(runner: Runner, monitor: Monitor) -> None:
    runner.start(*"abcde")
    monitor.look(4, beating=runner.beat)
    monitor.look(90)
    assert not Incident.objects.exists()
    assert set(RecoveryAttempt.objects.values_list("cause", "status")) == {("runner_gone", "told")}


def test_nothing_new_is_begun_for_agents_and_all_else_goes_on(runner: Runner, team: Team, other_team: Team) -> None:
    runner.start("known")
    four(runner, 3)
    for refused in (runner.caller.post("/agents", {"name": "new"}), runner.post("known", "conversation", title="New")):
        assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (503, "degraded", "60")
    assert runner.caller.post("/agents", {"name": "known", "runner": runner.name}).status_code == 200
    assert Caller.of(team).post("/conversations", {}).status_code == 201  # a recorder's
    theirs = Runner(other_team)
    theirs.start("new")
    assert theirs.post("new", "conversation").status_code == 201


def test_it_is_over_after_two_minutes_with_fewer_than_two_failed(runner: Runner, monitor: Monitor) -> None:
    four(runner, 3)
    restart(runner, "a")
    restart(runner, "b")
    monitor.look(130, beating=lambda: runner.beat("a", "b"))
    assert Incident.objects.get().ended_at is None
    restart(runner, "c")
    monitor.look(110, beating=lambda: runner.beat("a", "b", "c"))
    assert Incident.objects.get().ended_at is None
    monitor.look(20, beating=lambda: runner.beat("a", "b", "c"))
    assert Incident.objects.get().ended_at is not None
    assert Event.objects.filter(name="team.recovered").count() == 1
    assert runner.caller.post("/agents", {"name": "new"}).status_code == 201


def restart(runner: Runner, name: str) -> None:
    back_off_is_over(name)
    attempt = RecoveryAttempt.objects.filter(agent__name=name, status="waiting").latest("created_at")
    assert runner.claim(name, str(attempt.id)).status_code == 201
    assert runner.post(name, "ready").status_code == 200


def test_those_that_gave_up_are_tried_again_each_minute(runner: Runner, team: Team) -> None:
    four(runner, 3, threshold=0)
    assert [status(team, name) for name in "abcd"] == ["failed"] * 4
    incident = Incident.objects.get()
    began = incident.created_at
    runners = {beats.runner_member(team.id, runner.name)}
    assert list(incidents.due_again(now=began + 59 * SECOND, runners=runners)) == []
    agents = list(incidents.due_again(now=began + 60 * SECOND, runners=runners))
    assert len(agents) == 4
    assert list(incidents.due_again(now=began + 61 * SECOND, runners=runners)) == []
    assert recovery.try_again(agent_id=agents[0], now=began + 60 * SECOND) is not None
    assert Agent.objects.get(id=agents[0]).status == "recovering"
    assert Incident.objects.count() == 1


def test_those_whose_runner_is_gone_are_not_tried_again_and_hold_nobody_up(runner: Runner, monitor: Monitor) -> None:
    runner.start(*"abcd", threshold=0)
    runner.beat()
    for name in "abcd":
        runner.dies(name)
    monitor.now = timezone.now()
    monitor.look(130)
    assert Incident.objects.get().ended_at is not None
    assert RecoveryAttempt.objects.count() == 4


def test_those_that_a_person_was_told_of_hold_nobody_up(team: Team, monitor: Monitor) -> None:
    alone = Runner(team, name="")
    alone.start(*"abcd")
    monitor.look(4, beating=alone.beat)
    monitor.look(6)
    assert Incident.objects.get().ended_at is None
    monitor.look(125)
    assert [status(team, name) for name in "abcd"] == ["disconnected"] * 4
    assert Incident.objects.get().ended_at is not None


def test_one_team_does_not_pause_another(runner: Runner, other_team: Team) -> None:
    theirs = Runner(other_team)
    runner.start("a", "b")
    theirs.start("a", "b")
    for name in "ab":
        runner.dies(name)
        theirs.dies(name)
    assert not Incident.objects.exists()
