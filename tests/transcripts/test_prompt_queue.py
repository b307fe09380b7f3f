import pytest

from continuity.transcripts import Role, Voice
from tests.transcripts.records import abandoned, answer, call, claude, messages, read, result, texts


def queue(operation, **more):
    return {"type": "queue-operation", "operation": operation, "timestamp": "2026-01-02T03:04:05Z", "sessionId": "s1"} | more


def attachment(words, uuid="q1", **more):
    body = {"type": "queued_command", "prompt": words, "commandMode": "prompt"} | more
    return {"type": "attachment", "uuid": uuid, "parentUuid": None, "sessionId": "s1", "attachment": body}


def prompts(*records):
    return texts(messages(read("claude-code", *records)), Voice.PERSON)


def test_it_works():
    records = [
        call("a1", None, "c1"),
        queue("enqueue", content="also add tests"),
        result("r1", "a1", "c1"),
        queue("remove"),
        answer("a2", "r1"),
    ]
    found = messages(read("claude-code", *records))
    assert [(message.line, message.role) for message in found if texts([message], Voice.PERSON)] == [(3, Role.USER)]
    assert prompts(*records) == ["also add tests"]


@pytest.mark.parametrize(("records", "expected"), [
    ([queue("enqueue", content="x"), queue("popAll", content="x")], []),
    ([queue("enqueue", content="x"), queue("dequeue"), claude("u1", None, "x")], ["x"]),
    ([queue("enqueue", content="/model"), queue("remove")], []),
    ([queue("enqueue", content="<task-notification>built</task-notification>"), queue("remove")], []),
    ([queue("enqueue", content="x"), queue("remove", reason="deleted")], []),
    ([queue("enqueue", content="x"), queue("enqueue", content="y"), queue("remove"), queue("remove")], ["x", "y"]),
    ([queue("enqueue", content="x"), queue("enqueue", content="y"), queue("remove", content="y")], ["y"]),
    ([queue("remove")], []),
    ([attachment("x")], ["x"]),
    ([queue("enqueue", content="x"), attachment("x"), queue("remove", reason="absorbed_mid_turn")], ["x"]),
    ([queue("enqueue", content="x"), queue("remove", reason="absorbed_mid_turn"), attachment("x")], ["x"]),
    ([queue("enqueue", content="x"), queue("remove"), attachment("x")], ["x"]),
    ([attachment("a"), queue("enqueue", content="x"), queue("remove")], ["a"]),
    ([attachment("the build ended", commandMode="task-notification")], []),
    ([attachment([{"type": "text", "text": "look"}])], ["look"]),
    ([queue("enqueue", content=7), queue("remove"), queue("whatever")], []),
])  # fmt: skip
def test_queued_words_are_heard_once_if_they_were_said(records, expected):
    assert prompts(*records) == expected


def test_queued_words_are_rewound_with_what_they_interrupted():
    records = [
        claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "a1", "B"), queue("enqueue", content="x"), queue("remove"),
        claude("u3", "a1", "C"),
    ]  # fmt: skip
    found = list(read("claude-code", *records))
    assert abandoned(found) == ["u2", messages(found)[3].external_id]


def test_queued_words_have_the_same_id_on_every_reading():
    records = [queue("enqueue", content="x"), queue("remove")]
    assert messages(read("claude-code", *records))[0].external_id == messages(read("claude-code", *records))[0].external_id
