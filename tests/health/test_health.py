"""`/health` and `/ready` tell the truth, quickly, to anyone."""

import time
from datetime import datetime

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from continuity.agents.statuses import AgentStatus
from continuity.models import Agent, Team
from diagnostics import health_probe
from tests.factories import ConversationFactory


def test_it_works(client: Client) -> None:
    answer = client.get("/health")
    told = answer.json()
    assert answer.status_code == 200
    assert told.keys() == {"status", "uptime_seconds", "active_sessions", "failed_agents", "failed_cleanups", "version", "timestamp"}
    assert (told["status"], told["failed_agents"], told["version"]) == ("healthy", 0, settings.CONTINUITY_VERSION)
    assert told["uptime_seconds"] > 0
    assert datetime.fromisoformat(told["timestamp"]).tzinfo is not None


def test_ready_names_its_checks(client: Client) -> None:
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "checks": {"storage": "ok", "event_bus": "ok"}})


@pytest.mark.usefixtures("postgres_is_away")
def test_without_postgres_it_is_unready_and_unhealthy(client: Client) -> None:
    ready = client.get("/ready")
    assert (ready.status_code, ready.json()["ready"], ready.json()["checks"]["storage"]) == (503, False, "failed")
    assert ready["Retry-After"] == "5"
    told = client.get("/health")
    assert (told.status_code, told.json()["status"], told.json()["active_sessions"]) == (200, "unhealthy", None)


@pytest.mark.usefixtures("postgres_is_silent")
def test_a_postgres_that_says_nothing_keeps_nobody_waiting(client: Client) -> None:
    began = time.monotonic()
    assert client.get("/ready").status_code == 503
    assert time.monotonic() - began < 30  # Without a limit of our own it is for ever.


@pytest.mark.usefixtures("broker_is_away")
def test_without_the_broker_it_still_serves_but_says_so(client: Client) -> None:
    ready = client.get("/ready")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "checks": {"storage": "ok", "event_bus": "failed"}})
    assert client.get("/health").json()["status"] == "degraded"


def test_a_database_without_our_tables_is_initializing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", "postgres")
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["checks"]["storage"]) == (503, "initializing")


@pytest.mark.django_db(transaction=True)
def test_the_team_with_most_live_conversations_decides_whether_it_is_busy(
    client: Client, settings: Settings, team: Team, other_team: Team
) -> None:
    settings.MAX_CONCURRENT_SESSIONS = 5
    at_work(team, 3, AgentStatus.READY)
    at_work(team, 1, AgentStatus.REGISTERED)
    at_work(other_team, 2, AgentStatus.ACTIVE)
    at_work(other_team, 4, AgentStatus.STOPPED)
    ConversationFactory.create_batch(9, team=team)  # of recorders
    told = client.get("/health").json()
    assert (told["active_sessions"], told["status"]) == (6, "healthy")
    at_work(team, 1, AgentStatus.DEGRADED)
    told = client.get("/health").json()
    assert (told["active_sessions"], told["status"]) == (7, "degraded")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("failed", "status"), [(1, "degraded"), (3, "degraded"), (4, "unhealthy")])
def test_fr052_failed_agents_decide(client: Client, team: Team, failed: int, status: str) -> None:
    at_work(team, failed, AgentStatus.FAILED)
    told = client.get("/health").json()
    assert (told["failed_agents"], told["active_sessions"], told["status"]) == (failed, 0, status)


def at_work(team: Team, number: int, status: AgentStatus) -> None:
    for each in range(number):
        Agent.objects.create(
            team=team, name=f"{status}-{each}", status=status, status_at=timezone.now(), working_on=ConversationFactory.create(team=team)
        )


def test_many_probes_share_one_look(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/ready").status_code == 200
    monkeypatch.setattr(health_probe, "SEEN_FOR", 60.0)
    monkeypatch.setitem(connection.settings_dict, "NAME", "postgres")
    assert client.get("/ready").status_code == 200


def test_only_reading_is_allowed(client: Client) -> None:
    assert client.post("/health").status_code == 405
    assert client.get("/ready")["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
