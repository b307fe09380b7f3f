"""What follows from an append can fail, hang or be slow: the append is committed and answered all the same."""

import threading
from typing import Any

import pytest

from continuity.models import Conversation, Deferral, IdempotentReply, Message
from continuity.services.jobs import deferrals
from continuity.services.knowledge import fold_runner
from diagnostics.models import Alert
from handoffs.models import Handoff
from handoffs.services.packages import append_followup, decisions, preparation
from tests.api.caller import Caller
from tests.holding import held

pytestmark = pytest.mark.django_db(transaction=True)
FULL = {"role": "assistant", "content": "On it.", "usage": {"input": 900, "output": 1}}


@pytest.fixture(autouse=True)
def in_a_tenth_of_a_second(settings):
    settings.CONTINUITY_FOLLOW_UP_MS = 100
    yield
    settled()


@pytest.fixture
def api(team) -> Caller:
    return Caller.of(team)


@pytest.fixture
def path(api) -> str:
    opened = api.post("/conversations", {"max_context_tokens": 1000}).json()
    api.post(f"/conversations/{opened['id']}/messages", {"messages": [{"role": "user", "content": "Never send mail. Build it."}]})
    return f"/conversations/{opened['id']}"


def settled() -> None:
    """Waits until no thread does what follows from an append."""
    for _ in range(append_followup.THREADS):
        assert append_followup._free.acquire(timeout=60)
    for _ in range(append_followup.THREADS):
        append_followup._free.release()


def later(api: Caller, path: str) -> dict[str, Any]:
    """The answer to a later append, when there was time enough. It names what was made, however short the wait is."""
    settled()
    told = api.get(f"{path}/decision").json()
    again: dict[str, Any] = api.post(f"{path}/messages", {"messages": [{"role": "user", "content": "Go on."}]}).json()
    assert told["handoff_id"] == again["handoff_id"]
    return again


def test_it_works(api, path, monkeypatch):
    """What is slow is told of later."""
    may_go_on = threading.Event()
    prepare = preparation.prepare

    def slow(**given):
        assert may_go_on.wait(60)
        return prepare(**given)

    monkeypatch.setattr(preparation, "prepare", slow)
    answer = api.post(f"{path}/messages", {"messages": [FULL]})
    assert (answer.status_code, answer.json()["added"]) == (201, 1)
    told = answer.json()
    assert (told["decision"]["should_handoff"], told["decision"]["held"], told["handoff_id"]) == (True, "preparing", None)
    may_go_on.set()
    known = later(api, path)
    assert known["handoff_id"] == str(Handoff.objects.get().id)
    assert known["decision"]["held"] is None


@pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "k"}])
def test_what_fails_undoes_nothing_and_is_made_later(api, path, monkeypatch, key):
    def fail(**given):
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr(preparation, "prepare", fail)
        answer = api.post(f"{path}/messages", {"messages": [FULL]}, **key)
        assert (answer.status_code, answer.json()["decision"]["held"]) == (201, "preparing")
        settled()
    assert Message.objects.count() == 2
    put_off = Deferral.objects.get(kind=append_followup.KIND)
    assert put_off.error.startswith("RuntimeError at ")
    # Until it is due again, appends do not try it each time.
    assert api.get(f"{path}/decision").json()["held"] == "preparing"
    deferrals.hurry(chosen=Deferral.objects.all(), now=put_off.created_at)
    assert append_followup.sweep() == 1
    assert not Deferral.objects.exists()
    assert later(api, path)["handoff_id"] == str(Handoff.objects.get().id)


def test_what_hangs_on_a_locked_row_holds_up_no_answer(api, path):
    conversation = Conversation.objects.get()
    fold_runner.catch_up(conversation_id=conversation.id)
    with held("continuity_foldstate", conversation.id, column="conversation_id"):
        answer = api.post(f"{path}/messages", {"messages": [FULL]})
        # The thread still waits for the row, for a second at most.
        assert (answer.status_code, answer.json()["decision"]["held"]) == (201, "preparing")
        settled()
        assert "OperationalError" in Deferral.objects.get().error
        # Neither is the next one held up, nor are others.
        assert api.post(f"{path}/messages", {"messages": [{"role": "user", "content": "And test it."}]}).status_code == 201
    Deferral.objects.update(not_before=conversation.created_at)
    assert append_followup.sweep() == 1
    assert later(api, path)["handoff_id"] == str(Handoff.objects.get().id)


def test_even_a_decision_that_fails_is_answered(api, path, monkeypatch):
    def fail(*given):
        raise RuntimeError

    monkeypatch.setattr(decisions, "decision_on", fail)
    answer = api.post(f"{path}/messages", {"messages": [FULL]})
    assert (answer.status_code, answer.json()["decision"]["held"]) == (201, "preparing")
    assert answer.json()["decision"]["utilization"] == pytest.approx(0.9, abs=0.02)


def test_a_repetition_gets_what_was_told_and_else_that_it_is_prepared(api, path, settings, monkeypatch):
    settings.CONTINUITY_FOLLOW_UP_MS = 60_000
    first = api.post(f"{path}/messages", {"messages": [FULL]}, Idempotency_Key="k")
    again = api.post(f"{path}/messages", {"messages": [FULL]}, Idempotency_Key="k")
    assert first.json()["handoff_id"] == str(Handoff.objects.get().id)
    assert again.content == first.content
    # A process that dies after the commit leaves what was stored with the messages.
    assert '"held": "preparing"' not in str(IdempotentReply.objects.get().body)

    def die(*given):
        raise SystemExit

    monkeypatch.setattr("continuity.api.idempotent._followed", die)
    with pytest.raises(SystemExit):
        api.post(f"{path}/messages", {"messages": [{"role": "user", "content": "More."}]}, Idempotency_Key="l")
    assert Message.objects.filter(parts__0__text="More.").exists()
    assert '"held": "preparing"' in str(IdempotentReply.objects.get(key="l").body)


def test_more_than_there_are_threads_for_is_left_to_the_workers(api, path):
    for _ in range(append_followup.THREADS):
        append_followup._free.acquire()
    try:
        answer = api.post(f"{path}/messages", {"messages": [FULL]})
        assert (answer.status_code, answer.json()["decision"]["held"]) == (201, "preparing")
    finally:
        for _ in range(append_followup.THREADS):
            append_followup._free.release()
    append_followup.follow_again(conversation_id=Conversation.objects.get().id)
    assert later(api, path)["handoff_id"] == str(Handoff.objects.get().id)


def test_what_fails_again_and_again_is_an_alert_until_it_succeeds(api, path, monkeypatch):
    def fail(**given):
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr(preparation, "prepare", fail)
        api.post(f"{path}/messages", {"messages": [FULL]})
        settled()
        for _ in range(deferrals.ALERT_AFTER + 2):
            Deferral.objects.update(not_before=Deferral.objects.get().created_at)
            append_followup.sweep()
    alert = Alert.objects.get(rule="work_fails")
    assert (str(alert.subject_id), alert.over_at) == (path.rpartition("/")[2], None)
    Deferral.objects.update(not_before=Deferral.objects.get().created_at)
    assert append_followup.sweep() == 1
    alert.refresh_from_db()
    assert alert.over_at is not None
