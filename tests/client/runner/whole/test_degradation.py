"""Four agents killed within half a minute, under real runners and a real server: degradation begins, is told of, and ends (FR-010a)."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.error
import urllib.request
from datetime import datetime
from typing import Any

import psycopg
import pytest

from tests.client.runner.conftest import Runners
from tests.client.runner.test_real_server import Site
from tests.platform.running import Application, eventually

pytestmark = pytest.mark.processes
AGENTS = ("d1", "d2", "d3", "d4")
CALM_SECONDS, LOOK_SECONDS = 120.0, 5.0


def ask(site: Site, path: str, body: Any = None) -> tuple[int, dict[str, Any], str]:
    """Status, JSON, and after how long one may ask again."""
    sent = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {site.key}", "Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(site.url + path, sent, headers), timeout=20) as answer:
            return answer.status, json.load(answer), ""
    except urllib.error.HTTPError as error:
        return error.code, json.load(error), error.headers.get("Retry-After", "")


def health(site: Site) -> tuple[str, int]:
    told = ask(site, "/health")[1]
    return told["status"], told["failed_agents"]


def incidents(site: Site) -> list[dict[str, Any]]:
    return list(ask(site, "/api/v1/incidents")[1]["items"])


def is_over(site: Site) -> bool:
    return all(each["ended_at"] for each in incidents(site))


def starts(runners: Runners, name: str) -> list[int]:
    path = runners.home / f"{name}.starts"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def killed_together(site: Site, runners: Runners, *names: str) -> None:
    kept = {name: runners.agent(name, "counter") for name in names}
    assert all(site.is_in(name, "ready") for name in names)
    assert all(eventually(lambda name=name: starts(runners, name) == [1]) for name in names)  # type: ignore[misc]
    for runner in kept.values():
        os.kill(runners.child_of(runner), signal.SIGKILL)


def test_it_works(application: Application, site: Site, runners: Runners) -> None:
    runners.agent("other", "counter")
    assert site.is_in("other", "ready")
    assert health(site) == ("healthy", 0)
    killed_together(site, runners, *AGENTS)
    assert eventually(lambda: len(incidents(site)) == 1)
    [incident] = incidents(site)
    assert (incident["agents"], incident["limit"], incident["ended_at"]) == (list(AGENTS), 50, None)

    assert eventually(lambda: health(site) == ("unhealthy", 0), 10), "the incident alone makes it so: nobody gave up"
    assert ask(site, "/ready")[0] == 200
    status, told, after = ask(site, "/api/v1/agents", {"name": "new"})
    assert (status, told["code"], after) == (503, "degraded", "60")

    assert all(site.is_in(name, "ready", epoch=2) for name in AGENTS), "its runners go on starting them again"
    assert all(eventually(lambda name=name: starts(runners, name) == [1, 2]) for name in AGENTS)  # type: ignore[misc]
    assert starts(runners, "other") == [1]
    time.sleep(LOOK_SECONDS + 1)
    assert health(site)[0] == "unhealthy", "all are well again, and not for two minutes yet"

    found = application.run()
    assert found is not None
    with psycopg.connect(found.database_url) as database:  # All but a few of the 120 seconds have passed.
        database.execute("UPDATE continuity_incident SET calm_seconds = %s", [CALM_SECONDS - LOOK_SECONDS])
    assert eventually(lambda: is_over(site), 30)
    assert eventually(lambda: health(site) == ("healthy", 0), 10)
    assert ask(site, "/api/v1/agents", {"name": "new"})[0] == 201


def test_three_are_no_incident(site: Site, runners: Runners) -> None:
    killed_together(site, runners, *AGENTS[:3])
    assert all(site.is_in(name, "ready", epoch=2) for name in AGENTS[:3])
    assert incidents(site) == []
    assert health(site) == ("healthy", 0)


@pytest.mark.long
def test_it_takes_two_minutes(site: Site, runners: Runners) -> None:
    killed_together(site, runners, *AGENTS)
    assert eventually(lambda: len(incidents(site)) == 1)
    assert all(site.is_in(name, "ready", epoch=2) for name in AGENTS)
    assert eventually(lambda: is_over(site), CALM_SECONDS + 60)
    [incident] = incidents(site)
    began, ended = (datetime.fromisoformat(incident[name]) for name in ("created_at", "ended_at"))
    assert CALM_SECONDS <= (ended - began).total_seconds() <= CALM_SECONDS + 60
    assert eventually(lambda: health(site) == ("healthy", 0), 10)
