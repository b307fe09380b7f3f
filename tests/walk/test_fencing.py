"""Every write of the API that names an instance of an agent is refused where that is over, also where it ends meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.models import Agent, Subscription, Team, User
from continuity.services.accounts import accounts, apikeys
from continuity.services.agents import registry
from continuity.services.agents.epochs import NamedInstance
from handoffs.models import Handoff, HandoffStatus
from tests.agents.runner import back_off_is_over
from tests.api.caller import ROOT, Answer, Caller
from tests.api.operations import BODIES, INSTANCE, OPERATIONS, QUERIES
from tests.api.rows import AGENT, make_rows
from tests.lasting import Lasting
from tests.walk.routes import ROUTES, WRITES, Route
from tests.walk.test_walk import undone

Operation = tuple[str, str]
Ids = dict[str, Any]  # the values of parameters in paths, and `body` where the operation takes one of this world
NAMED = {"Continuity_Agent": "late/1"}
STORES_NOTHING = {
    ("POST", "/handoffs/{handoff_id}/validate"),
    ("POST", "/agents/heartbeats"),  # Valkey hears of it, and each beat names an instance of its own.
}
# What no agent's key does here.
OUT_OF_REACH = {
    ("POST", "/conversations/{conversation_id}/notes/by-model"),  # No model is set up.
    ("POST", "/handoffs/{handoff_id}/offer/accept"),  # Only a person, signed in.
    ("POST", "/handoffs/{handoff_id}/offer/decline"),
}


@pytest.fixture(scope="module")
def world(lasting: Lasting[Ids]) -> Ids:
    return lasting(make_world)


def make_world() -> Ids:
    ids = make_rows()
    registry.register(team=Team.objects.get(slug="ours"), name="late", now=timezone.now(), given={})
    return ids


@pytest.fixture
def ids(world: Ids, db: None) -> Ids:
    return world


@pytest.fixture
def api(ids: Ids) -> Caller:
    owner = User.objects.get(email="owner@example.com")
    return Caller(apikeys.issue(team=Team.objects.get(slug="ours"), name="agent", created_by=owner)[1])


def dies() -> None:
    Agent.objects.filter(name="late").update(epoch=2, instance_id=None)


def writes() -> Iterator[tuple[Operation, Route]]:
    """Each operation that is no GET, by the routes of the site."""
    for route in ROUTES:
        for method in WRITES:
            operation = method, route.plain.removeprefix(ROOT)
            if route.plain.startswith(ROOT) and operation in OPERATIONS:
                yield operation, route


def reachable() -> Iterator[tuple[Operation, Route]]:
    return (each for each in writes() if each[0] not in OUT_OF_REACH)


def ask(api: Caller, operation: Operation, route: Route, ids: Ids, **headers: str) -> Answer:
    if operation == ("POST", "/conversations/import"):
        return api.upload(b"{}", headers={name.replace("_", "-"): value for name, value in headers.items()})
    address = route.address({**ids, "anchor_key": ""}).removeprefix(ROOT) + QUERIES.get(operation, "")
    return api.call(operation[0], address, ids.get("body", BODIES.get(operation, {})), **headers)


def prepared(api: Caller, operation: Operation, ids: Ids) -> Ids:
    """What the operation needs is made so."""
    return BEFORE[operation](api, ids) if operation in BEFORE else ids


def with_handoff(**columns: Any) -> Callable[[Caller, Ids], Ids]:
    def changed(_: Caller, ids: Ids) -> Ids:
        Handoff.objects.filter(id=ids["handoff_id"]).update(**columns)
        return ids

    return changed


def failed(_: Caller, ids: Ids) -> Ids:
    handoff = Handoff.objects.get(id=ids["handoff_id"])
    report = {**handoff.fidelity, "overallFidelityScore": 0.5}
    return with_handoff(status=HandoffStatus.FAILED, fidelity=report, failure="A rule is missing")(_, ids)


def offered(api: Caller, ids: Ids) -> Ids:
    assert api.post(f"/handoffs/{ids['handoff_id']}/offer", {"to": "owner@example.com"}).status_code == 200
    return ids


def resumed(api: Caller, ids: Ids) -> Ids:
    assert api.post(f"/handoffs/{ids['handoff_id']}/resume").status_code == 201
    return ids


def dead(api: Caller, ids: Ids) -> Ids:
    told = api.post(f"/agents/{AGENT}/ended", {**INSTANCE, "cause": "killed", "signal": 9}).json()
    back_off_is_over(AGENT)
    return {**ids, "body": {"attempt": told["attempt"], "runner": "Ours"}}


def sent(_: Caller, ids: Ids) -> Ids:
    Subscription.objects.filter(id=ids["subscription_id"]).update(kind="webhook", url="https://example.com/")
    return ids


def exported(_: Caller, ids: Ids) -> Ids:
    owner = User.objects.get(email="owner@example.com")
    theirs = Caller.of(accounts.found_team(slug="others", name="Others", owner=owner).team)
    made = theirs.post(f"/conversations/{theirs.open()}/handoffs").json()["id"]
    return {**ids, "body": theirs.get(f"/handoffs/{made}/export").json()}


def demonstrated(_: Caller, ids: Ids) -> Ids:
    Team.objects.filter(slug="ours").update(demo=True)
    return ids


BEFORE: dict[Operation, Callable[[Caller, Ids], Ids]] = {
    ("POST", "/handoffs/{handoff_id}/ready"): with_handoff(status=HandoffStatus.DRAFT),
    ("POST", "/handoffs/{handoff_id}/override"): failed,
    ("DELETE", "/handoffs/{handoff_id}/offer"): offered,
    ("POST", "/handoffs/{handoff_id}/ratings"): resumed,
    ("POST", "/handoffs/{handoff_id}/receipt"): resumed,
    ("POST", "/agents/{agent_name}/claim"): dead,
    ("POST", "/subscriptions/{subscription_id}/secret"): sent,
    ("POST", "/packages"): exported,
    ("DELETE", "/demo"): demonstrated,
}


def test_it_works(api: Caller, ids: Ids) -> None:
    """Each is let in as the present instance, so that the walks below are worth something; and all of the API are walked."""
    assert {operation for operation, _ in writes()} == {operation for operation in OPERATIONS if operation[0] != "GET"}
    wrong = []
    for operation, route in reachable():
        with undone():
            answer = ask(api, operation, route, prepared(api, operation, ids), **NAMED)
        if answer.status_code >= 300:
            wrong.append((operation, answer.status_code, answer.content))
    assert wrong == []


def test_none_that_names_an_instance_that_is_over_is_let_in(api: Caller, ids: Ids) -> None:
    dies()
    wrong = []
    for operation, route in writes():
        with undone():
            answer = ask(api, operation, route, ids, **NAMED)
        if (answer.status_code, answer.json().get("code")) != (409, "fenced"):
            wrong.append((operation, answer.status_code, answer.content))
    assert wrong == []


def test_none_stores_anything_where_the_instance_ends_right_after_it_was_let_in(
    api: Caller, ids: Ids, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = NamedInstance.look

    def looked(instance: NamedInstance) -> None:
        look(instance)
        dies()

    monkeypatch.setattr(NamedInstance, "look", looked)
    wrong = []
    for operation, route in reachable():
        with undone():
            answer = ask(api, operation, route, prepared(api, operation, ids), **NAMED)
        expected = (200, "") if operation in STORES_NOTHING else (409, "fenced")
        if (answer.status_code, answer.json().get("code", "") if answer.content else "") != expected:
            wrong.append((operation, answer.status_code, answer.content))
    assert wrong == []


def test_an_agent_ends_and_begins_instances_of_itself(api: Caller, ids: Ids) -> None:
    """What makes its own instance the one before is no reason to refuse it."""
    changing: dict[Operation, Any] = {
        ("DELETE", f"/agents/{AGENT}"): None,
        ("POST", f"/agents/{AGENT}/stop"): INSTANCE,
        ("POST", f"/agents/{AGENT}/ended"): {**INSTANCE, "cause": "killed"},
        ("POST", f"/agents/{AGENT}/orders"): {"kind": "restart"},
        ("POST", "/agents"): {"name": AGENT},
    }
    for (method, path), body in changing.items():
        with undone():
            answer = api.call(method, path, body, Continuity_Agent=f"{AGENT}/1")
            assert answer.status_code < 300, (method, path, answer.content)
            assert not Agent.objects.filter(name=AGENT, epoch=1).exists(), (method, path)


def test_it_costs_a_statement_more_than_the_look_and_none_where_no_instance_is_named(api: Caller, ids: Ids) -> None:
    def asked(method: str, path: str, **headers: str) -> list[bool]:
        with undone(), CaptureQueriesContext(connection) as queries:
            assert api.call(method, path.format_map(ids), BODIES[method, path], **headers).status_code < 300
        found = [each["sql"] for each in queries.captured_queries]
        return ["FOR SHARE" in each for each in found if "FROM continuity_agent WHERE" in each and "epoch" in each]

    for method, path in (
        ("POST", "/conversations/{conversation_id}/messages"),
        ("PUT", "/states/{scope}/{owner}/{state_key}"),
        ("POST", "/events"),
    ):
        assert asked(method, path) == []
        assert asked(method, path, **NAMED) == [False, True], path
