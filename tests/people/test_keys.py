"""API keys on their page: shown once, worth what their maker may, revoked at once."""

from __future__ import annotations

import re
import secrets
from uuid import uuid4

import pytest
from django.db import IntegrityError
from pytest_django import DjangoAssertNumQueries

from continuity.models import ApiKey, Role, Team, User
from continuity.services.accounts import accounts, apikeys
from tests.api.caller import Caller
from tests.cast import person
from tests.web.world import browser

WANTED = {"name": "laptop", "scopes": ["read", "write"], "days": "90"}


def text_of(page: bytes) -> str:
    found = re.search(rb'<pre id="key">(\w[\w-]+)</pre>', page)
    assert found
    return found[1].decode()


def test_it_works(team: Team, teammate: User) -> None:
    client = browser(teammate)
    full = text_of(client.post("/team/keys/new", WANTED).content)
    key = ApiKey.objects.get()
    assert (key.name, key.scopes, key.created_by) == ("laptop", ["read", "write"], teammate)
    assert key.expires_at
    assert round((key.expires_at - key.created_at).total_seconds() / 86_400) == 90
    assert Caller(full).get("/conversations").status_code == 200
    listed = client.get("/team/keys").content
    assert full.encode() not in listed
    assert key.lookup.encode() in listed


def test_a_form_that_is_sent_again_makes_no_second_key(team: Team, teammate: User) -> None:
    client = browser(teammate)
    once = re.search(rb'name="once" value="([\w-]{36})"', client.get("/team/keys/new").content)
    assert once
    sent = WANTED | {"once": once[1].decode()}
    full = text_of(client.post("/team/keys/new", sent).content)
    again = client.post("/team/keys/new", sent, follow=True)
    assert "shown that once" in again.content.decode()
    assert ApiKey.objects.count() == 1
    assert Caller(full).get("/conversations").status_code == 200


def test_what_else_the_database_refuses_is_no_key_that_was_made(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = apikeys.issue(team=team, name="first")[0].lookup
    monkeypatch.setattr(secrets, "token_hex", lambda _bytes: taken)
    for key_id in (None, uuid4()):
        with pytest.raises(IntegrityError):
            apikeys.issue(team=team, name="second", key_id=key_id)


def test_a_key_that_does_not_expire_has_to_be_asked_for(team: Team, teammate: User) -> None:
    browser(teammate).post("/team/keys/new", WANTED | {"days": "0"})
    assert ApiKey.objects.get().expires_at is None


@pytest.mark.parametrize("wrong", [{"scopes": []}, {"scopes": ["admin"]}, {"scopes": ["people"]}, {"days": "3650"}, {"name": " "}])
def test_what_one_may_not_have_is_refused(team: Team, teammate: User, wrong: dict[str, object]) -> None:
    assert browser(teammate).post("/team/keys/new", WANTED | wrong).status_code == 422
    assert not ApiKey.objects.exists()


def test_a_revoked_key_ends_at_once_and_is_still_listed(team: Team, teammate: User) -> None:
    client = browser(teammate)
    full = text_of(client.post("/team/keys/new", WANTED).content)
    assert client.post(f"/team/keys/{ApiKey.objects.get().id}/revoke", {"confirmed": "yes"}).status_code == 302
    assert Caller(full).get("/conversations").status_code == 401
    assert b"revoked</span>" in client.get("/team/keys").content


def test_members_see_and_revoke_their_own_and_operators_everybodys(team: Team, owner: User, teammate: User) -> None:
    key, _ = apikeys.issue(team=team, name="the owner's", created_by=owner)
    member, operator = browser(teammate), person("operator")
    accounts.add_member(team=team, user=operator, role=Role.OPERATOR)
    assert b"the owner" not in member.get("/team/keys").content
    assert member.post(f"/team/keys/{key.id}/revoke", {"confirmed": "yes"}).status_code == 404
    assert b"the owner" in browser(operator).get("/team/keys").content
    assert browser(operator).post(f"/team/keys/{key.id}/revoke", {"confirmed": "yes"}).status_code == 302


def test_the_list_asks_as_often_for_many_keys_as_for_few(
    team: Team, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = browser(owner)
    for number in range(3):
        apikeys.issue(team=team, name=f"key {number}", created_by=owner)
    client.get("/team/keys")
    with django_assert_num_queries(5):
        client.get("/team/keys")
    for number in range(60):
        apikeys.issue(team=team, name=f"more {number}", created_by=owner)
    with django_assert_num_queries(5):
        page = client.get("/team/keys")
    assert b"Next page" in page.content
