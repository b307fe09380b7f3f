"""Appending messages in the three forms, within the limits, and reading them again."""

import json
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from continuity import VERSION
from continuity.models import Message, Scope, Team
from continuity.services.knowledge import fold_runner
from tests.api.caller import Caller, agent, person
from tests.factories import ConversationFactory, MessageFactory

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_it_works(api: Caller) -> None:
    conversation = api.open(max_context_tokens=1000)
    answer = api.say(conversation, person("Use Postgres.", external_id="m1"), agent("I will.", external_id="m2"), device="laptop")
    told = answer.json()
    assert (answer.status_code, told["seqs"], told["added"], told["warnings"]) == (201, [1, 2], 2, [])
    assert told["usage"]["message_count"] == 2
    assert 0 < told["usage"]["utilization"] == told["decision"]["utilization"] < 0.1
    assert told["decision"]["should_handoff"] is False
    listed = api.get(f"/conversations/{conversation}/messages").json()["items"]
    assert [(row["seq"], row["role"], row["parts"][0]["text"], row["parts"][0]["voice"]) for row in listed] == [
        (1, "user", "Use Postgres.", "person"),
        (2, "assistant", "I will.", "agent"),
    ]
    assert {row["device"] for row in listed} == {"laptop"}


def test_what_is_stored_already_is_not_added_again(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("One", external_id="m1"))
    again = api.say(conversation, person("One", external_id="m1"), agent("Two", external_id="m2"))
    assert (again.json()["seqs"], again.json()["added"]) == ([1, 2], 1)


def test_equal_messages_without_ids_are_different_messages(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("ok"))
    assert api.say(conversation, person("ok")).json()["seqs"] == [2]


def test_a_full_window_answers_with_the_handoff(api: Caller) -> None:
    conversation = api.open(max_context_tokens=1000)
    usage = {"input": 20, "output": 10, "cache_read": 840, "cache_write": 0}
    told = api.say(conversation, person("Go on"), agent("Done.", usage=usage, usage_id="u1")).json()
    assert (told["usage"]["total"], told["usage"]["utilization"]) == (870, 0.87)
    assert (told["decision"]["should_handoff"], told["decision"]["due"]) == (True, True)
    assert told["decision"]["reason"] == "Context window utilization exceeded 85% threshold"
    assert api.get(f"/conversations/{conversation}/decision").json()["should_handoff"] is True
    assert api.get(f"/conversations/{conversation}/usage").json()["total"] == 870


def parts_of(api: Caller, *messages: dict[str, Any]) -> list[list[dict[str, Any]]]:
    conversation = api.open()
    answer = api.say(conversation, *messages)
    assert answer.status_code == 201, answer.content
    return [row["parts"] for row in api.get(f"/conversations/{conversation}/messages").json()["items"]]


def test_openai_messages_are_understood(api: Caller) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "make test"}'}}
    asked, called, gave = parts_of(
        api,
        {"role": "user", "content": [{"type": "text", "text": "Run the tests"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "3 passed"},
    )
    assert asked[0]["text"] == "Run the tests"
    assert (called[0]["kind"], called[0]["name"], called[0]["input"]) == ("tool_call", "bash", {"command": "make test"})
    assert (gave[0]["kind"], gave[0]["name"], gave[0]["text"], gave[0]["voice"]) == ("tool_result", "bash", "3 passed", "tool")


def test_anthropic_messages_are_understood(api: Caller) -> None:
    said, gave = parts_of(
        api,
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "First the tests."},
                {"type": "text", "text": "I'll run them."},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1 failed", "is_error": True}]},
    )
    assert [part["kind"] for part in said] == ["reasoning", "text", "tool_call"]
    assert (gave[0]["kind"], gave[0]["failed"], gave[0]["name"]) == ("tool_result", True, "Bash")


def test_our_own_parts_are_taken_as_they_are(api: Caller) -> None:
    part = {"kind": "tool_result", "voice": "tool", "text": "ok", "name": "exec", "call_id": "c1", "exit_code": 0, "failed": False}
    assert parts_of(api, {"role": "tool", "parts": [part]}) == [[part]]


@pytest.mark.parametrize(
    ("message", "field", "says"),
    [
        ({"role": "wizard", "content": "Hi"}, "messages.0", "wizard"),
        ({"content": "Hi"}, "messages.0.role", "required"),
        ({"role": "user"}, "messages.0", "says nothing"),
        ({"role": "user", "content": "  "}, "messages.0", "says nothing"),
        ({"role": "user", "content": "Hi", "parts": [{"text": "Hi"}]}, "messages.0", "parts and content"),
        ({"role": "user", "parts": [{"kind": "smell", "text": "Hi"}]}, "messages.0.parts.0.kind", "smell"),
        ({"role": "user", "content": "Hi", "at": "yesterday"}, "messages.0.at", "datetime"),
        ({"role": "user", "content": "Hi", "external_id": "x" * 201}, "messages.0.external_id", "200"),
    ],
)
def test_a_message_that_cannot_be_read_is_refused_by_its_place(api: Caller, message: dict[str, Any], field: str, says: str) -> None:
    refused = api.say(api.open(), message)
    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert Message.objects.count() == 0


def test_text_is_made_safe_once_at_the_edge(api: Caller) -> None:
    deep: Any = "bottom"
    for _ in range(100):
        deep = [deep]
    body = {"messages": [{"role": "assistant", "parts": [{"kind": "tool_call", "name": "x\x00y", "input": {"deep": deep, "n": 1}}]}]}
    raw = json.dumps(body).replace('"n": 1', '"n": NaN, "s": "\\ud800"').encode()
    conversation = api.open()
    assert api.post(f"/conversations/{conversation}/messages", raw).status_code == 201
    stored = api.get(f"/conversations/{conversation}/messages").json()["items"][0]["parts"][0]
    assert (stored["name"], stored["input"]["n"], stored["input"]["s"]) == ("x\ufffdy", "[nan]", "\ufffd")
    assert "nested deeper" in json.dumps(stored["input"]["deep"])


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"messages": [' + b"[" * 5000, b"\x00\x00"])
def test_a_body_that_is_no_json_says_where(api: Caller, body: bytes) -> None:
    refused = api.post(f"/conversations/{api.open()}/messages", body)
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")


def test_each_limit_is_named_in_its_refusal(api: Caller, settings: Settings) -> None:
    conversation = api.open()
    settings.CONTINUITY_MAX_BATCH_MESSAGES = 3
    refused = api.say(conversation, *[person(str(n)) for n in range(4)])
    assert (refused.status_code, refused.json()["limit"]) == (413, "3 messages")
    settings.CONTINUITY_MAX_MESSAGE_BYTES = 1000
    refused = api.say(conversation, person("small"), person("ü" * 600))
    assert (refused.status_code, refused.json()["limit"], refused.json()["field"]) == (413, "1,000 bytes", "messages.1")
    settings.CONTINUITY_MAX_BATCH_BYTES = 2000
    refused = api.say(conversation, *[person("x" * 900) for _ in range(3)])
    assert (refused.status_code, refused.json()["limit"]) == (413, "2,000 bytes")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 3000
    refused = api.say(conversation, person("x" * 4000))
    assert (refused.status_code, refused.json()["limit"]) == (413, "2,000 bytes")
    assert Message.objects.count() == 0


def test_messages_come_in_order_page_by_page(api: Caller, team: Team) -> None:
    conversation = ConversationFactory.create(team=team)
    for seq in range(1, 8):
        MessageFactory.create(conversation=conversation, seq=seq, abandoned=seq == 4)
    path = f"/conversations/{conversation.id}/messages"
    first = api.get(path, limit=4).json()
    rest = api.get(path, limit=4, cursor=first["next_cursor"]).json()
    assert [row["seq"] for row in first["items"] + rest["items"]] == [1, 2, 3, 5, 6, 7]
    assert rest["next_cursor"] is None
    assert len(api.get(path, abandoned=True).json()["items"]) == 7


def test_secrets_are_masked_unless_an_admin_asks(api: Caller, team: Team) -> None:
    conversation = api.open()
    api.say(conversation, person(f"The token is {SECRET}, use it."))
    path = f"/conversations/{conversation}/messages"
    masked = api.get(path).json()["items"][0]
    assert SECRET not in json.dumps(masked)
    assert (masked["secrets"], masked["parts"][0]["text"][:13]) == (1, "The token is ")
    assert SECRET in json.dumps(api.get(path, unmasked=True).json())
    reader = Caller.of(team, [Scope.READ])
    assert SECRET not in reader.get(path).content.decode()
    assert reader.get(path, unmasked=True).status_code == 403


def test_rewound_messages_are_marked(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("Use MySQL.", external_id="m1"))
    api.say(conversation, person("Use Postgres.", external_id="m2"), abandoned=["m1"])
    listed = api.get(f"/conversations/{conversation}/messages", abandoned=True).json()["items"]
    assert [(row["external_id"], row["abandoned"]) for row in listed] == [("m1", True), ("m2", False)]


def test_a_placeholder_holds_the_place_until_the_message_comes(api: Caller) -> None:
    conversation = api.open()
    why = "The server failed on it (500, correlation id 6f0c)."
    held = {"role": "user", "external_id": "m2", "placeholder": why}
    told = api.say(conversation, person("One", external_id="m1"), held, agent("Three", external_id="m3")).json()
    assert (told["seqs"], told["added"], told["replaced"], told["usage"]["message_count"]) == ([1, 2, 3], 3, 0, 3)
    fold_runner.catch_up(conversation_id=UUID(conversation))
    listed = api.get(f"/conversations/{conversation}/messages").json()["items"]
    assert [row["placeholder"] for row in listed] == [False, True, False]
    assert why in listed[1]["parts"][0]["text"]
    assert (listed[1]["parts"][0]["voice"], listed[1]["tokens"]) == ("harness", 0)

    assert api.say(conversation, held).json()["added"] == 0, "twice is once"
    words = "Never use SQLite, always Postgres."
    told = api.say(conversation, person(words, external_id="m2"), device="laptop").json()
    assert (told["seqs"], told["added"], told["replaced"], told["usage"]["message_count"]) == ([2], 0, 1, 3)
    fold_runner.catch_up(conversation_id=UUID(conversation))
    listed = api.get(f"/conversations/{conversation}/messages").json()["items"]
    assert [(row["seq"], row["external_id"]) for row in listed] == [(1, "m1"), (2, "m2"), (3, "m3")]
    assert not any(row["placeholder"] for row in listed)
    assert (listed[1]["parts"][0]["text"], listed[1]["device"]) == (words, "laptop")
    assert listed[1]["tokens"] > 0
    assert any("SQLite" in each["text"] for each in api.get(f"/conversations/{conversation}/anchors").json()["items"]), "it is folded"

    for late in (held, person("Something else", external_id="m2")):
        told = api.say(conversation, late).json()
        assert (told["added"], told["replaced"]) == (0, 0), "what is stored keeps its place and its words"
    assert api.get(f"/conversations/{conversation}/messages").json()["items"][1]["parts"][0]["text"] == words


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"role": "user", "placeholder": "x"}, "messages.0 is a placeholder without external_id"),
        ({"role": "user", "placeholder": "x", "external_id": "m1", "content": "y"}, "messages.0 has a placeholder and words"),
    ],
)
def test_a_placeholder_that_could_never_be_replaced_is_refused(api: Caller, message: dict[str, Any], says: str) -> None:
    answer = api.say(api.open(), message)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]


def test_every_answer_names_the_servers_version(api: Caller) -> None:
    assert api.get("/conversations").headers["Continuity-Version"] == VERSION == api.client.get("/health").json()["version"]
