"""A conversation comes back whole (FR-003); tests/platform/test_restore.py does it over restarts."""

from typing import Any
from uuid import UUID

import pytest

from continuity.models import Conversation, FoldState, Message
from continuity.services.knowledge import fold_runner
from continuity.services.recording import restoring
from tests.api.caller import Caller, agent, person

SECRET = "hunter2hunter2"


@pytest.fixture
def conversation(api: Caller) -> str:
    made = api.open(title="Tides")
    for number in range(20):
        api.say(made, person(f"Please build page {number}. DB_PASSWORD={SECRET}", cwd="/srv/tides"), agent("It is built."))
    fold_runner.catch_up(conversation_id=UUID(made))
    return made


def restored(api: Caller, conversation: str) -> dict[str, Any]:
    answer = api.get(f"/conversations/{conversation}/restore")
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def test_it_works(api: Caller, conversation: str) -> None:
    told = restored(api, conversation)
    assert told["conversation"]["id"] == conversation
    assert [message["seq"] for message in told["messages"]] == list(range(1, 41))
    assert told["situation"]["cwd"] == "/srv/tides"
    listed = api.get(f"/conversations/{conversation}/messages", limit=200).json()["items"]
    assert [message["parts"] for message in told["messages"]] == [message["parts"] for message in listed]
    assert SECRET not in str(told)


def test_fr003_the_digest_is_the_same_until_something_is_added_or_lost(api: Caller, conversation: str) -> None:
    digest = restored(api, conversation)["digest"]
    assert restored(api, conversation)["digest"] == digest
    message = Message.objects.get(conversation_id=UUID(conversation), seq=7)
    parts = message.parts
    Message.objects.filter(id=message.id).update(parts=[{**parts[0], "text": "Something else."}])
    assert restored(api, conversation)["digest"] != digest
    Message.objects.filter(id=message.id).update(parts=parts)
    assert restored(api, conversation)["digest"] == digest
    api.say(conversation, person("One more."))
    assert restored(api, conversation)["digest"] != digest


def test_fr003_distilling_what_was_said_changes_the_digest_of_the_knowledge_alone(api: Caller) -> None:
    made = api.open(title="Behind")
    api.say(made, person("Never write to the table harbour."), agent("I will not."))
    FoldState.objects.filter(conversation_id=made).delete()
    behind = restored(api, made)
    fold_runner.catch_up(conversation_id=UUID(made))
    folded = restored(api, made)
    assert (behind["folded_through"], folded["folded_through"]) == (0, 2)
    assert folded["digest"] == behind["digest"]
    assert folded["knowledge_digest"] != behind["knowledge_digest"]
    assert restored(api, made)["knowledge_digest"] == folded["knowledge_digest"]


def test_fr003_the_state_that_is_restored_is_the_one_that_was_folded(api: Caller, conversation: str) -> None:
    row = Conversation.objects.get(id=conversation)
    fold_runner.catch_up(conversation_id=row.id)
    assert restoring.restore(team=row.team, conversation_id=row.id).state == fold_runner.state_of(row)


def test_one_that_was_invalidated_or_is_too_long_is_refused(api: Caller, conversation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "MOST", 39)
    refused = api.get(f"/conversations/{conversation}/restore")
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    api.post(f"/conversations/{conversation}/invalidate")
    assert api.get(f"/conversations/{conversation}/restore").status_code == 410
