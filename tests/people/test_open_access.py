"""004 FR-032 to FR-034: the development mode without accounts, on this machine alone, with its warning."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from django.test import Client, RequestFactory

from continuity import auth
from continuity.core.operation import open_access
from continuity.models import Team, User
from tests.conftest import PROJECT

SPECIFIED = (
    "WARNING: Running in development mode without authentication or encryption. "
    "DO NOT use with sensitive data or in production environments."
)


@pytest.fixture
def opened(settings: Any) -> None:
    settings.CONTINUITY_OPEN_ACCESS = True
    after = settings.MIDDLEWARE.index("django.contrib.auth.middleware.AuthenticationMiddleware") + 1
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:after], "config.middleware.open_access.OpenAccessMiddleware", *settings.MIDDLEWARE[after:]]


@pytest.mark.django_db
@pytest.mark.usefixtures("opened")
def test_it_works(team: Team, owner: User) -> None:
    """A page without signing in, with the specified warning; who comes from elsewhere has to sign in."""
    page = Client().get("/conversations")
    assert page.status_code == 200
    assert SPECIFIED in page.content.decode()
    assert Client(REMOTE_ADDR="10.1.2.3").get("/conversations").status_code == 302
    assert Client().get("/conversations", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 302


@pytest.mark.django_db
def test_without_the_setting_nobody_comes_in_and_nothing_is_said(team: Team, owner: User) -> None:
    assert Client().get("/conversations").status_code == 302
    assert SPECIFIED not in Client().get("/login").content.decode()
    assert auth.principal_of_anybody(RequestFactory().get("/")) is None


@pytest.mark.django_db
@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(
    ("headers", "let_in"),
    [
        ({}, True),
        ({"Origin": "http://127.0.0.1:8000"}, True),
        ({"Origin": "https://example.com"}, False),
        ({"Origin": "null"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Authorization": "Bearer ck_wrong"}, False),
    ],
    ids=["nothing", "own page", "another site", "sandboxed", "cross-site", "a key that is shown"],
)
def test_calls_of_this_machine_act_as_the_first_owner(team: Team, owner: User, headers: dict[str, str], let_in: bool) -> None:
    principal = auth.principal_of_anybody(RequestFactory().post("/api/v1/conversations", headers=headers))
    assert (principal is not None and (principal.team, principal.user) == (team, owner)) is let_in


@pytest.mark.parametrize(
    ("address", "ours"), [("127.0.0.1", True), ("::1", True), ("192.168.0.2", False), ("", False), ("127.0.0.1.evil", False)]
)
def test_only_this_machine(address: str, ours: bool) -> None:
    assert open_access.WARNING == SPECIFIED
    assert open_access.is_ours(address, {}) is ours


BEYOND = {"host": {"HOST": "0.0.0.0"}, "proxy": {"CONTINUITY_PROXIES": "1"}, "name": {"ALLOWED_HOSTS": "x.example.com"}}


@pytest.mark.parametrize("beyond", BEYOND.values(), ids=BEYOND)
def test_a_start_that_others_could_reach_is_refused(beyond: dict[str, str]) -> None:
    env = {**os.environ, "CONTINUITY_OPEN_ACCESS": "1", **beyond}
    command = [sys.executable, "-c", "import config.settings"]
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "CONTINUITY_OPEN_ACCESS: only for this machine alone" in done.stderr
