"""Every route, walked: who is let in, and that one team never sees another's rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from config.api import api as interface
from continuity.models import Conversation, Scope, Team, User
from continuity.services.accounts import apikeys
from tests.api.caller import ROOT, Caller
from tests.api.operations import BODIES, OPEN_OPERATIONS, OPERATIONS, OUT_OF_TURN, QUERIES
from tests.api.rows import make_rows
from tests.lasting import Lasting

each_operation_on_a_row = pytest.mark.parametrize(("method", "path"), [key for key in OPERATIONS if "{" in key[1]], ids=str)


@pytest.fixture(scope="module")
def world(lasting: Lasting[dict[str, str]]) -> dict[str, str]:
    return lasting(make_rows)


@pytest.fixture
def owner(world: dict[str, str], db: None) -> User:
    return User.objects.get(email="owner@example.com")


@pytest.fixture
def team(owner: User) -> Team:
    return Team.objects.get(slug="ours")


@pytest.fixture
def ids(world: dict[str, str], db: None) -> dict[str, str]:
    return world


def test_it_works() -> None:
    described = {
        (method.upper(), path.removeprefix(ROOT)) for path, methods in interface.get_openapi_schema()["paths"].items() for method in methods
    }
    assert described == set(OPERATIONS) | OPEN_OPERATIONS


def test_without_a_key_nobody_is_let_in(db: None) -> None:
    expected = 401, "unauthenticated", "Bearer", "application/problem+json"
    caller, answers = Caller(), {}
    for method, path in OPERATIONS:
        refused = caller.call(method, path.format_map(_Any()))
        how = refused["WWW-Authenticate"].partition(" ")[0]
        answers[method, path] = refused.status_code, refused.json()["code"], how, refused["Content-Type"]
    assert {each: answer for each, answer in answers.items() if answer != expected} == {}


def test_a_key_without_the_scope_is_refused_and_told_which(team: Team) -> None:
    callers = {needed: Caller.of(team, [scope.value for scope in Scope if scope != needed]) for needed in Scope}
    wrong = []
    for (method, path), needed in OPERATIONS.items():
        refused = callers[needed].call(method, path.format_map(_Any()), BODIES.get((method, path)))
        if (refused.status_code, refused.json().get("code"), refused.json().get("scope")) != (403, "missing_scope", needed.value):
            wrong.append((method, path, refused.status_code, refused.json()))
    assert wrong == []


def test_an_outsider_gets_404(ids: dict[str, str], stranger: Caller) -> None:
    wrong = []
    for method, path in OPERATIONS:
        if "{" in path:
            refused = stranger.call(method, path.format_map(ids) + QUERIES.get((method, path), ""), BODIES.get((method, path)))
            if (refused.status_code, refused.json().get("code")) != (404, "not_found") or b"Ours" in refused.content:
                wrong.append((method, path, refused.status_code, refused.content))
    assert wrong == []


@each_operation_on_a_row
def test_the_own_team_gets_an_answer(ids: dict[str, str], api: Caller, method: str, path: str) -> None:
    answer = api.call(method, path.format_map(ids) + QUERIES.get((method, path), ""), BODIES.get((method, path)))
    assert answer.status_code in ((409,) if (method, path) in OUT_OF_TURN else (200, 201, 202, 204))


def test_an_outsider_sees_nothing_in_lists(ids: dict[str, str], stranger: Caller) -> None:
    assert stranger.get("/conversations").json()["items"] == []


def test_an_outsider_imports_nothing_into_our_conversation(ids: dict[str, str], stranger: Caller) -> None:
    assert stranger.upload(b"{}", conversation_id=ids["conversation_id"]).status_code == 404


@pytest.mark.parametrize("key", ["nonsense", "cont_0123_secret", "cont__", "é" * 20])
def test_an_unknown_key_is_refused(team: Team, key: str) -> None:
    refused = Caller(key).get("/conversations")
    assert (refused.status_code, refused.json()["code"]) == (401, "key_refused")
    assert 'error="invalid_token"' in refused["WWW-Authenticate"]


def test_a_revoked_key_is_refused(team: Team) -> None:
    key, full = apikeys.issue(team=team, name="old")
    assert Caller(full).get("/conversations").status_code == 200
    apikeys.revoke(key=key)
    assert Caller(full).get("/conversations").status_code == 401


def test_an_expired_key_is_refused(team: Team) -> None:
    _, full = apikeys.issue(team=team, name="old", expires_at=timezone.now() - timedelta(seconds=1))
    assert Caller(full).get("/conversations").status_code == 401


def test_the_other_header_lets_in_as_well(team: Team) -> None:
    _, full = apikeys.issue(team=team, name="header")
    assert Client(headers={"X-API-Key": full}).get(f"{ROOT}/conversations").status_code == 200
    assert Client(headers={"X-API-Key": full + "x"}).get(f"{ROOT}/conversations").status_code == 401


def test_a_signed_in_member_may_read_but_writes_only_with_the_csrf_token(team: Team, teammate: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(teammate)
    assert browser.get(f"{ROOT}/conversations").status_code == 200
    forged = browser.post(f"{ROOT}/conversations", "{}", content_type="application/json")
    assert (forged.status_code, forged["Content-Type"]) == (403, "application/problem+json")
    browser.cookies["csrftoken"] = "a" * 32
    opened = browser.post(f"{ROOT}/conversations", "{}", content_type="application/json", headers={"X-CSRFToken": "a" * 32})
    assert opened.status_code == 201
    assert Conversation.objects.get(id=opened.json()["id"]).owner == teammate


def test_a_member_whose_role_is_too_low_is_told_which_it_takes(team: Team, teammate: User) -> None:
    browser = Client()
    browser.force_login(teammate)
    conversation = browser.post(f"{ROOT}/conversations", "{}", content_type="application/json").json()["id"]
    refused = browser.post(f"{ROOT}/conversations/{conversation}/invalidate")
    assert (refused.status_code, refused.json()["code"], refused.json()["role"]) == (403, "role_too_low", "Operator")


class _Any(dict[str, str]):
    """An id for every name; that there is no such row comes after the question who asks."""

    def __missing__(self, name: str) -> str:
        if name == "seq":
            return "1"
        return "00000000-0000-4000-8000-000000000000"
