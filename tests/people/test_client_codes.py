"""Codes for clients: worth one key of their maker, once, for ten minutes, and nothing to anybody else."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from continuity.core.errors import CodeOver, Conflict, RoleTooLow
from continuity.models import ApiKey, AuditEntry, ClientCode, Role, Team, User
from continuity.services.accounts import accounts, client_codes
from tests.api.caller import Caller
from tests.cast import person
from tests.web.world import browser

HOSTILE = ["", " ", "-", "-" * 64, "0" * 16, "\x00" * 16, "' OR 1=1 --", "%", "\ud800", "𝟘" * 16, "A" * 64, "é" * 60]


def code_of(page: bytes) -> str:
    found = re.search(rb"--code ([0-9A-Z-]{19})</pre>", page)
    assert found
    return found[1].decode()


def ask(code: Any, **more: Any) -> Any:
    return Caller().post("/client/keys", {"code": code, "name": "laptop", **more})


def test_it_works(team: Team, teammate: User) -> None:
    page = browser(teammate).post("/client/")
    assert page.headers["Cache-Control"].count("no-store")
    code = code_of(page.content)
    assert "-".join(code[at : at + 4] for at in (0, 5, 10, 15)) == code
    answer = ask(code)
    assert answer.status_code == 201
    had = answer.json()
    assert (had["name"], had["team"], had["maker"]) == ("laptop", team.name, str(teammate))
    assert Caller(had["key"]).get("/conversations").status_code == 200
    key = ApiKey.objects.get()
    assert (key.created_by, sorted(key.scopes)) == (teammate, ["agent", "handoff", "read", "write"])
    assert key.expires_at
    assert round((key.expires_at - timezone.now()).days, -1) == 360


def test_it_is_written_down_who_made_it_and_what_came_of_it(team: Team, teammate: User) -> None:
    ask(code_of(browser(teammate).post("/client/").content))
    told = list(AuditEntry.objects.order_by("created_at").values_list("action", "actor", "subject"))
    email = teammate.email
    wanted = [("client_code.created", email, ""), ("client_code.redeemed", email, "laptop"), ("api_key.issued", email, "laptop")]
    assert [each for each in told if each[0].startswith(("client_code", "api_key"))] == wanted


def test_nothing_of_the_code_is_kept(team: Team, teammate: User) -> None:
    code = code_of(browser(teammate).post("/client/").content).replace("-", "")
    row = ClientCode.objects.get()
    assert len(row.digest) == 64
    assert code not in str(vars(row))
    assert not AuditEntry.objects.filter(details__icontains=code).exists()


@pytest.mark.parametrize("typed", [str.lower, lambda code: code.replace("-", ""), lambda code: f"  {code.replace('-', ' ')} "])
def test_how_it_is_typed_does_not_matter(team: Team, teammate: User, typed: Callable[[str], str]) -> None:
    assert ask(typed(code_of(browser(teammate).post("/client/").content))).status_code == 201


def test_it_works_once(team: Team, teammate: User) -> None:
    code = code_of(browser(teammate).post("/client/").content)
    assert ask(code).status_code == 201
    again = ask(code)
    assert (again.status_code, again.json()["code"]) == (410, "code_over")
    assert ApiKey.objects.count() == 1


def test_it_works_for_ten_minutes(team: Team, teammate: User) -> None:
    now = timezone.now()
    _, code = client_codes.create(team=team, by=teammate, now=now)
    with pytest.raises(CodeOver):
        client_codes.redeem(code=code, name="late", now=now + timedelta(minutes=10))
    client_codes.redeem(code=code, name="in time", now=now + timedelta(minutes=9, seconds=59))


@pytest.mark.parametrize("code", HOSTILE, ids=lambda code: ascii(code)[:20])
def test_what_never_was_one_tells_nothing(team: Team, teammate: User, code: str) -> None:
    client_codes.create(team=team, by=teammate, now=timezone.now())
    answer = ask(code)
    assert (answer.status_code, answer.json()["code"]) == (410, "code_over")
    assert ApiKey.objects.count() == 0


@pytest.mark.parametrize("body", [{"code": "A" * 65}, {"code": 7}, {"code": None}, {"code": ["A"]}, {}, {"code": "A", "name": "n" * 121}])
def test_what_is_no_text_of_that_length_is_refused(db: None, body: dict[str, Any]) -> None:
    assert Caller().post("/client/keys", body).status_code == 422


def test_it_is_no_address(team: Team, teammate: User) -> None:
    code = code_of(browser(teammate).post("/client/").content)
    for address in (f"/api/v1/client/keys?code={code}", f"/client/?code={code}", f"/client/{code}"):
        assert code.encode() not in Client().get(address).content
    assert Client().get(f"/api/v1/client/keys?code={code}").status_code == 405
    assert Caller().post(f"/client/keys?code={code}", {}).status_code == 422
    assert ApiKey.objects.count() == 0


def test_who_tries_too_many_is_held_up(team: Team, settings: Any) -> None:
    settings.CONTINUITY_SIGN_IN_RATE = (3, 60)
    statuses = [ask(f"{number:016}").status_code for number in range(4)]
    assert statuses == [410, 410, 410, 429]


def test_it_is_worth_what_its_maker_is_by_then(team: Team, teammate: User) -> None:
    now = timezone.now()
    codes = [client_codes.create(team=team, by=teammate, now=now)[1] for _ in range(3)]
    accounts.add_member(team=team, user=teammate, role=Role.VIEWER)
    with pytest.raises(CodeOver):
        client_codes.redeem(code=codes[0], name="x", now=now)
    accounts.add_member(team=team, user=teammate, role=Role.OPERATOR)
    User.objects.filter(id=teammate.id).update(is_active=False)
    with pytest.raises(CodeOver):
        client_codes.redeem(code=codes[1], name="x", now=now)
    User.objects.filter(id=teammate.id).update(is_active=True)
    team.memberships.filter(user=teammate).delete()
    with pytest.raises(CodeOver):
        client_codes.redeem(code=codes[2], name="x", now=now)
    assert ApiKey.objects.count() == 0


def test_a_viewer_can_make_none(team: Team) -> None:
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    assert browser(viewer).post("/client/").status_code == 403
    with pytest.raises(RoleTooLow):
        client_codes.create(team=team, by=viewer, now=timezone.now())
    assert b"you are viewer" in browser(viewer).get("/client/").content


def test_nobody_has_many_open_and_old_ones_go(team: Team, teammate: User) -> None:
    now = timezone.now()
    for _ in range(client_codes.OPEN_AT_ONCE):
        client_codes.create(team=team, by=teammate, now=now)
    with pytest.raises(Conflict):
        client_codes.create(team=team, by=teammate, now=now)
    client_codes.create(team=team, by=teammate, now=now + timedelta(minutes=11))
    assert ClientCode.objects.count() == 1


def test_a_key_ends_itself(team: Team, teammate: User) -> None:
    full = ask(code_of(browser(teammate).post("/client/").content)).json()["key"]
    assert Caller(full).call("DELETE", "/client/keys/own").status_code == 204
    assert Caller(full).get("/conversations").status_code == 401
