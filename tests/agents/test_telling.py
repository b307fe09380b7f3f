"""What operators are told of agents: alerts, health, metrics."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from continuity.models import Agent, Team
from diagnostics.alerting.rules import AlertRule
from diagnostics.models import Alert
from tests.agents.runner import Monitor, Runner, back_off_is_over
from tests.metrics.reading import value


def open_alerts() -> set[str]:
    return set(Alert.objects.open().values_list("rule", flat=True))


@pytest.fixture(autouse=True)
def looked_at_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diagnostics.health_probe.SEEN_FOR", 0)


def test_it_works(runner: Runner, client: Client, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        runner.start("a", threshold=0)
        runner.dies("a")
    alert = Alert.objects.open().get()
    assert (alert.rule, alert.severity, alert.subject_kind, alert.subject_id) == (
        "agent_failed",
        "critical",
        "agent",
        Agent.objects.get().id,
    )
    assert alert.message == "killed, failures in a row: 1"
    with django_capture_on_commit_callbacks(execute=True):
        runner.start("a")
    assert open_alerts() == set()


def test_who_is_lost_and_can_be_started_by_nobody_is_told_of(team: Team, monitor: Monitor, django_capture_on_commit_callbacks: Any) -> None:
    alone = Runner(team, name="")
    with django_capture_on_commit_callbacks(execute=True):
        alone.start("a")
        monitor.look(4, beating=alone.beat)
        monitor.look(5)
    assert open_alerts() == {AlertRule.AGENT_LOST}
    with django_capture_on_commit_callbacks(execute=True):
        alone.beat()
    assert open_alerts() == set()


@pytest.mark.django_db(transaction=True)
def test_an_incident_is_critical_and_unhealthy_and_ready(runner: Runner, client: Client, monitor: Monitor) -> None:
    assert client.get("/health").json()["status"] == "healthy"
    runner.start(*"abcd")
    for name in "abcd":
        runner.dies(name)
    assert open_alerts() == {AlertRule.TEAM_DEGRADED}
    assert Alert.objects.get().severity == "critical"
    told = client.get("/health").json()
    assert (told["status"], told["failed_agents"]) == ("unhealthy", 0), "the incident alone makes it so: nobody gave up"
    assert client.get("/ready").status_code == 200
    for name in "abcd":
        restart(runner, name)
    assert client.get("/health").json()["status"] == "unhealthy", "until two minutes passed"
    monitor.look(130, beating=runner.beat)
    assert open_alerts() == set()
    assert client.get("/health").json()["status"] == "healthy"


def restart(runner: Runner, name: str) -> None:
    back_off_is_over(name)
    attempt = Agent.objects.get(name=name).attempts.latest("created_at")
    assert runner.claim(name, str(attempt.id)).status_code == 201
    assert runner.post(name, "ready").status_code == 200


def test_metrics(runner: Runner, team: Team, monitor: Monitor) -> None:
    runner.start("a", "b", ready=False)
    runner.post("a", "ready")
    runner.post("b", "ready", replayed=2, replay_failed=1)
    monitor.look(4, beating=runner.beat)
    monitor.look(6, beating=lambda: runner.beat("b"))
    restart(runner, "a")
    agent = Agent.objects.get(name="a")
    assert value("agent_health_status", agent_id=agent.id, status="ready") == 1
    assert value("agent_health_status", agent_id=agent.id, status="recovering") == 0
    assert value("degraded_agent_count") == 1
    assert value("agent_failures", cause="lost") == 1
    assert value("agent_detection_latency_ms_count") == 1
    assert value("agent_detection_latency_ms_bucket", le="5000") == 1
    assert value("agent_recovery_latency_ms_count") == 1
    assert value("agent_transition_latency_ms_count") == 1


@pytest.mark.django_db(transaction=True)
def test_health_says_so_while_it_is_ready(runner: Runner, client: Client) -> None:
    runner.start(*"abcd", threshold=0)
    assert client.get("/health").json()["failed_agents"] == 0
    for name in "abcd":
        runner.dies(name)
    told = client.get("/health").json()
    assert (told["status"], told["failed_agents"]) == ("unhealthy", 4)
    assert client.get("/ready").status_code == 200
