"""A request with an `Idempotency-Key` is done once, however often and however fast it comes."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from continuity.models import Conversation, IdempotentReply, Job, Message, Team
from continuity.services.accounts.bootstrap import DEMO_SESSION
from handoffs.models import Handoff, Resumption
from tests.api.caller import Answer, Caller, person


def test_it_works(api: Caller) -> None:
    first = api.post("/conversations", {"title": "One"}, Idempotency_Key="k1")
    again = api.post("/conversations", {"title": "One"}, Idempotency_Key="k1")
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert ("Idempotent-Replayed" in first, again["Idempotent-Replayed"]) == (False, "true")
    assert Conversation.objects.count() == 1


def test_an_answer_is_the_same_with_a_key_and_without(api: Caller) -> None:
    plain = api.post("/conversations", {"title": "One"}).json()
    keyed = api.post("/conversations", {"title": "One"}, Idempotency_Key="k1").json()
    own = {"id", "created_at", "updated_at", "active_at", "expires_at"}
    assert {name: value for name, value in plain.items() if name not in own} == {n: v for n, v in keyed.items() if n not in own}
    assert all(len(plain[name]) == len(keyed[name]) for name in own)


def test_the_same_key_with_another_request_is_refused(api: Caller) -> None:
    api.post("/conversations", {"title": "One"}, Idempotency_Key="k1")
    for refused in (
        api.post("/conversations", {"title": "Two"}, Idempotency_Key="k1"),
        api.post(f"/conversations/{Conversation.objects.get().id}/handoffs", Idempotency_Key="k1"),
    ):
        assert (refused.status_code, refused.json()["field"]) == (422, "Idempotency-Key")


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "é"])
def test_a_key_that_is_none_is_refused(api: Caller, key: str) -> None:
    refused = api.post("/conversations", {}, Idempotency_Key=key)
    assert (refused.status_code, refused.json()["field"]) == (422, "Idempotency-Key")


def test_a_refusal_is_not_kept(api: Caller) -> None:
    api.open(source_tool="codex", external_id="s1")
    body = {"source_tool": "codex", "external_id": "s1"}
    assert api.post("/conversations", body, Idempotency_Key="k1").status_code == 409
    assert IdempotentReply.objects.count() == 0
    Conversation.objects.all().delete()
    assert api.post("/conversations", body, Idempotency_Key="k1").status_code == 201


def test_two_teams_may_use_the_same_key(api: Caller, stranger: Caller) -> None:
    ours = api.post("/conversations", {"title": "One"}, Idempotency_Key="k1").json()
    theirs = stranger.post("/conversations", {"title": "One"}, Idempotency_Key="k1").json()
    assert ours["id"] != theirs["id"]


def test_appending_preparing_resuming_and_importing_happen_once(api: Caller) -> None:
    conversation = api.open()
    for _ in range(2):
        assert api.post(f"/conversations/{conversation}/messages", {"messages": [person("Hi")]}, Idempotency_Key="a").status_code == 201
    assert Message.objects.count() == 1
    handoffs = {api.post(f"/conversations/{conversation}/handoffs", Idempotency_Key="p").json()["id"] for _ in range(2)}
    assert (len(handoffs), Handoff.objects.count()) == (1, 1)
    resumed = {api.post(f"/handoffs/{handoffs.copy().pop()}/resume", Idempotency_Key="r").json()["conversation"]["id"] for _ in range(2)}
    assert (len(resumed), Resumption.objects.count()) == (1, 1)
    content, key = DEMO_SESSION.read_bytes(), {"Idempotency-Key": "i"}
    jobs = {api.upload(content, headers=key).json()["id"] for _ in range(2)}
    assert (len(jobs), Job.objects.count()) == (1, 1)
    assert api.upload(content[:-1], headers=key).status_code == 422


@pytest.mark.django_db(transaction=True)
def test_of_many_at_the_same_moment_one_does_it_and_all_get_its_answer(team: Team) -> None:
    caller = Caller.of(team)
    together = Barrier(6, timeout=60)

    def send(_: int) -> Answer:
        together.wait()
        try:
            return Caller(caller.key).post("/conversations", {"title": "Race"}, Idempotency_Key="k1")
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(6)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer for answer in answers) == 5
    assert Conversation.objects.count() == 1
