"""Every route, walked: who is let in, and that one team never sees another's rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from config.api import api as interface
from continuity.models import Conversation, DeadLetter, Scope, Segment, Team, User
from continuity.services.accounts import apikeys
from continuity.services.jobs import jobs
from continuity.services.recording import imports
from continuity.services.subscriptions import publishing, subscriptions, topics
from handoffs.models import EditAction, HandoffChain
from handoffs.services.edits import editing
from handoffs.services.erasure import erasing
from handoffs.services.packages import authors, preparation
from tests.api.caller import ROOT, Caller, person
from tests.api.operations import BODIES, OPERATIONS, OUT_OF_TURN, QUERIES

# Every operation of the API and the scope that it takes. A new one has to be entered here.
each_operation = pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda value: str(value))
each_operation_on_a_row = pytest.mark.parametrize(("method", "path"), [key for key in OPERATIONS if "{" in key[1]], ids=str)


@pytest.fixture
def ids(team: Team, owner: User) -> dict[str, str]:
    """A row of our team of each kind."""
    caller = Caller.of(team)
    conversation = caller.open(title="Ours")
    caller.say(conversation, person("Use Postgres, never SQLite. DB_PASSWORD=hunter2hunter2"))
    key = caller.post(f"/conversations/{conversation}/tasks", {"description": "Build it."}).json()["key"]
    row = Conversation.objects.get(id=conversation)
    by = erasing.By("owner", owner)
    erasing.erase_words(team=team, conversation_id=row.id, words="as long as", by=by)
    handoff = preparation.prepare(team=team, conversation_id=row.id, options=preparation.options_of())
    job = jobs.submit(team=team, kind=imports.KIND, arguments={})
    chain = HandoffChain.objects.get(team=team)
    segment = Segment.objects.get(conversation=row)
    edit = editing.edit(team=team, handoff_id=handoff.id, action=EditAction.PIN, author=authors.Author(), ref="a1")
    return {
        "conversation_id": conversation,
        "seq": "1",
        "key": key,
        "segment_id": str(segment.id),
        "handoff_id": str(handoff.id),
        "edit_id": str(edit.id),
        "job_id": str(job.id),
        "any_id": str(chain.id),
        **on_the_bus(team),
    }


def on_the_bus(team: Team, words: str = "Ours") -> dict[str, str]:
    """A topic, a subscription, an event with words, and a dead letter."""
    topics.declare(team=team, name="task:completed", schema=None, critical=False)
    subscription, _ = subscriptions.subscribe(team=team, name="known", pattern="task:*")
    said = [publishing.Publication("task:completed", {"words": words})]
    event = publishing.publish(team=team, publications=said, publisher="test", now=timezone.now())[0]
    letter = DeadLetter.objects.create(
        team=team,
        event_id=event.id,
        subscription=subscription,
        subscriber=f"subscription:{subscription.id}",
        status="dead",
        failed_at=timezone.now(),
    )
    return {"subscription_id": str(subscription.id), "event_id": str(event.id), "letter_id": str(letter.id), "name": "task:completed"}


def test_it_works() -> None:
    described = {
        (method.upper(), path.removeprefix(ROOT)) for path, methods in interface.get_openapi_schema()["paths"].items() for method in methods
    }
    assert described == set(OPERATIONS)


@each_operation
def test_without_a_key_nobody_is_let_in(db: None, method: str, path: str) -> None:
    refused = Caller().call(method, path.format_map(_Any()))
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
    assert refused["WWW-Authenticate"].startswith("Bearer")
    assert refused["Content-Type"] == "application/problem+json"


@each_operation
def test_a_key_without_the_scope_is_refused_and_told_which(team: Team, method: str, path: str) -> None:
    needed = OPERATIONS[method, path]
    others = [scope.value for scope in Scope if scope != needed]
    refused = Caller.of(team, others).call(method, path.format_map(_Any()), BODIES.get((method, path)))
    assert (refused.status_code, refused.json()["code"], refused.json()["scope"]) == (403, "missing_scope", needed.value)


@each_operation_on_a_row
def test_an_outsider_gets_404(ids: dict[str, str], stranger: Caller, method: str, path: str) -> None:
    refused = stranger.call(method, path.format_map(ids) + QUERIES.get((method, path), ""), BODIES.get((method, path)))
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert b"Ours" not in refused.content


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
