"""Every route, asked by strangers, by another team, and by those who may only read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from continuity.models import AuditEntry, Role, Team, User
from continuity.services.accounts import accounts
from handoffs.models import Handoff
from tests.api.caller import ROOT
from tests.api.operations import BODIES, QUERIES
from tests.cast import ours as our_team
from tests.cast import person
from tests.lasting import Lasting
from tests.walk.routes import ADMIN, METHODS, ROUTES, WORDS, WRITES, Place, Route, place
from tests.web.world import browser

# Whom nobody needs to know: the way in, the documentation, and what machines watch.
OPEN = {
    *("login", "logout", "password-reset", "password-reset-sent", "password-reset-done", "password-reset-confirm", "join"),
    *("admin-login", "api-docs", "openapi-json", "api-root", "health", "ready", "metrics"),
    *("client", "client-file", "redeem_code", "single-sign-on", "single-sign-on-back"),
}
# What a viewer may change: what is their own.
OWN = {"home", "profile", "password", "team", "found-team", "leave-team", "handoff-answer"}
# What only reads, though it is asked for by a POST.
READING = {f"{ROOT}/handoffs/{{handoff_id}}/validate"}
# What an id does not have to be guessed for: its own secret is the right to it.
SECRET_LINKS = {"join", "password-reset-confirm"}


@pytest.fixture(scope="module")
def world(lasting: Lasting[Place]) -> Place:
    return lasting(make_world)


@pytest.fixture
def ours(world: Place, db: None) -> Place:
    return world


def make_world() -> Place:
    owner = person("owner")
    return place(our_team(owner), owner, timezone.now())


@pytest.fixture
def owner(ours: Place, db: None) -> User:
    return User.objects.get(email="owner@example.com")


@pytest.fixture
def team(owner: User) -> Team:
    return Team.objects.get(slug="ours")


@contextmanager
def undone() -> Iterator[None]:
    """What is written within is taken back, so that one question does not answer the next."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def ask(client: Client, method: str, route: Route, place: Place) -> Any:
    """Asks a page as a form does, and the API with JSON that it would accept."""
    address, operation = route.address(place.values), (method, route.plain.removeprefix(ROOT))
    if address.startswith("/api/"):
        body = json.dumps(BODIES.get(operation, {})) if method != "GET" else ""
        return client.generic(method, address + QUERIES.get(operation, ""), body, content_type="application/json")
    if method == "POST":
        return client.post(address, {"budget": 4000, "style": "structured", "name": "x", "role": 1, "team": "ours"})
    return client.generic(method, address)


def content(answer: Any) -> bytes:
    return b"" if answer.streaming else bytes(answer.content)


def test_it_works(ours: Place, owner: User) -> None:
    """The walks below are worth something only if those who may do get in."""
    assert len(ROUTES) > 60
    assert len(ADMIN) > 100
    client = browser(owner)
    read = [route for route in ROUTES if ask(client, "GET", route, ours).status_code == 200]
    assert len([route for route in read if route.parameters]) > 15
    assert any(WORDS.encode() in content(ask(client, "GET", route, ours)) for route in read)


def walk(client: Client, ours: Place, routes: list[Route], methods: tuple[str, ...]) -> Iterator[tuple[str, Route, Any]]:
    """The answer to each method at each route, in one world."""
    for route in routes:
        for method in methods:
            with undone():
                answer = ask(client, method, route, ours)
            yield f"{method} {route} {answer.status_code}", route, answer


def is_nowhere(route: Route, answer: Any) -> bool:
    """A path of the API that leads nowhere says so to everybody."""
    return answer.status_code == 404 and route.parameters == {"anything"}


def test_strangers_are_sent_to_the_login(ours: Place) -> None:
    wrong = []
    for told, route, answer in walk(Client(), ours, [route for route in ROUTES if route.name not in OPEN], METHODS):
        sent = answer.status_code == 302 and answer.headers["Location"].startswith("/login?next=")
        if not (sent or answer.status_code in (401, 405) or is_nowhere(route, answer)) or WORDS.encode() in content(answer):
            wrong.append(told)
    assert wrong == []


def test_another_team_finds_nothing(ours: Place, outsider: User, other_team: Team) -> None:
    wrong = []
    theirs = [route for route in ROUTES if route.name not in SECRET_LINKS | {"logout"}]
    for told, route, answer in walk(browser(outsider), ours, theirs, METHODS):
        shown = WORDS.encode() in content(answer) or answer.status_code >= 500
        # A body that this walk does not know how to write is refused before anything is looked for.
        unread = answer.status_code == 422 and route.plain.startswith(ROOT)
        if shown or (route.parameters and not unread and answer.status_code not in (404, 405)):
            wrong.append(told)
    assert wrong == []


def test_a_viewer_changes_nothing_but_their_own(ours: Place, team: Team) -> None:
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    wrong = []
    writing = [route for route in ROUTES if route.name not in OPEN | OWN and route.plain not in READING]
    for told, route, answer in walk(browser(viewer), ours, writing, WRITES):
        if not (answer.status_code in (403, 405) or is_nowhere(route, answer)):
            wrong.append(told)
    assert wrong == []


def test_the_admin_lets_none_of_them_in(ours: Place, team: Team, owner: User, outsider: User, other_team: Team) -> None:
    """An owner of a team is no operator of the installation."""
    values = dict.fromkeys(("object_id", "content_type_id", "app_label", "url", "id", "model_name"), "1")
    for client in (Client(), browser(owner), browser(outsider)):
        for told, route, answer in walk(client, Place(values), ADMIN, ("GET", "POST")):
            assert answer.status_code in (302, 403, 404, 405), told
            if answer.status_code == 302:
                assert "/login" in answer.headers["Location"] or route.name == "logout", told


def test_reading_writes_nothing_down(ours: Place, owner: User) -> None:
    deeds = AuditEntry.objects.exclude(action="handoff.exported")  # Taking a package away is a deed, although it is a GET.
    before = deeds.count(), Handoff.objects.count()
    client = browser(owner)
    for route in ROUTES:
        if route.name not in OPEN:
            ask(client, "GET", route, ours)
    assert (deeds.count(), Handoff.objects.count()) == before
