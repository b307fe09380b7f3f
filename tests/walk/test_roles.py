"""What each role may do: the table, and every write asked with every role."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from continuity.accounts import roles
from continuity.accounts.roles import Permission
from continuity.core.errors import MissingScope, RoleTooLow
from continuity.models import Role, Scope, Team, User
from continuity.services.accounts import accounts, apikeys
from tests.api.caller import ROOT, Caller
from tests.api.operations import OPERATIONS
from tests.cast import person
from tests.walk.routes import ROUTES, WRITES, Route, place
from tests.walk.test_walk import OPEN, OWN, ask, undone
from tests.web.world import browser

# The pages that take more than the role of a member. A new one is entered here, or its members get in.
PAGES = {
    "message": Permission.UNMASK,
    "demo-remove": Permission.ADMIN,
    "end": Permission.ADMIN,
    "note-asking": Permission.ADMIN,
    "pack-policy": Permission.ADMIN,
    "retry-letter": Permission.ADMIN,
    "order-agent": Permission.ADMIN,
    "test-alerts": Permission.ADMIN,
    "override": Permission.ADMIN,
    "rename-team": Permission.TEAM,
    "invite": Permission.PEOPLE,
    "revoke-invitation": Permission.PEOPLE,
    "change-role": Permission.PEOPLE,
    "remove-member": Permission.PEOPLE,
}

# Operations that take more than their scope says.
ABOVE = {
    ("POST", "/conversations/{conversation_id}/messages/{seq}/unmask"): Permission.UNMASK,
}


def is_for_others(answer: Any) -> bool:
    """Whether the role was too low, as against what only the owner of a thing may do with it."""
    if answer.status_code != 403:
        return False
    return b"takes the role" in answer.content


def lowest(route: Route, method: str) -> Role:
    """The role that a write takes: of the API by the scope of its operation."""
    if not route.plain.startswith(ROOT):
        return roles.lowest(PAGES[route.name]) if route.name in PAGES else Role.MEMBER
    operation = method, route.plain.removeprefix(ROOT)
    return roles.lowest(ABOVE.get(operation) or OPERATIONS.get(operation, Scope.WRITE))


def test_it_works() -> None:
    assert [rule.permission for rule in roles.TABLE] == list(Permission)
    assert roles.permissions(Role.OWNER) == {permission.value for permission in Permission}
    assert roles.scopes(Role.VIEWER) == [Scope.READ]


@pytest.mark.parametrize("lower", [Role.VIEWER, Role.MEMBER, Role.OPERATOR])
def test_a_higher_role_may_do_everything_of_those_below(lower: Role) -> None:
    assert roles.permissions(lower) < roles.permissions(lower + 1)


def test_every_scope_is_a_permission() -> None:
    assert set(Scope.values) <= {permission.value for permission in Permission}


# Who may least, and who may some things and not others; the rest in `make test-long`.
WALKED = {Role.VIEWER, Role.OPERATOR}


@pytest.mark.parametrize("role", [pytest.param(r, id=r.label, marks=[] if r in WALKED else [pytest.mark.long]) for r in Role])
def test_every_write_lets_in_who_may_and_nobody_else(team: Team, owner: User, role: Role) -> None:
    there = place(team, owner, timezone.now())
    somebody = person("somebody")
    accounts.add_member(team=team, user=somebody, role=role)
    client = browser(somebody)
    wrong = []
    for route in ROUTES:
        for method in WRITES if route.name not in OPEN | OWN and route.parameters != {"anything"} else ():
            with undone():
                answer = ask(client, method, route, there)
            if answer.status_code != 405 and is_for_others(answer) is (role >= lowest(route, method)):
                wrong.append((method, route.plain, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("role", list(Role), ids=lambda role: role.label)
def test_a_key_is_worth_no_more_than_the_role_of_its_maker(team: Team, role: Role) -> None:
    maker = person("maker")
    accounts.add_member(team=team, user=maker, role=role)
    _, full = apikeys.issue(team=team, name="everything", created_by=maker)
    caller = Caller(full)
    asked = {
        Scope.READ: caller.get("/conversations"),
        Scope.WRITE: caller.post("/conversations", {}),
        Scope.ADMIN: caller.patch("/policy", {"review": None}),
    }
    for scope, answer in asked.items():
        assert (answer.status_code == 403) is (role < roles.lowest(scope)), scope
        if answer.status_code == 403:
            assert answer.json()["code"] == RoleTooLow.code


def test_a_key_follows_its_maker_down(team: Team) -> None:
    maker = person("maker")
    accounts.add_member(team=team, user=maker, role=Role.OPERATOR)
    _, full = apikeys.issue(team=team, name="mine", created_by=maker)
    assert Caller(full).patch("/policy", {"review": None}).status_code == 200
    accounts.add_member(team=team, user=maker, role=Role.MEMBER)
    refused = Caller(full).patch("/policy", {"review": None})
    assert (refused.status_code, refused.json()["role"]) == (403, "Operator")


def test_a_scope_that_the_key_lacks_is_named_whatever_the_role(team: Team, owner: User) -> None:
    _, full = apikeys.issue(team=team, name="reader", scopes=["read"], created_by=owner)
    refused = Caller(full).post("/conversations", {})
    assert (refused.status_code, refused.json()["code"]) == (403, MissingScope.code)
