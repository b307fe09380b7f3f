import pytest

from continuity.transcripts import Abandoned, Event, Role, Voice
from continuity.transcripts.base.model import AT_WORK, Report
from continuity.transcripts.opening import format_named
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
    ([queue("enqueue", content="x"), queue("enqueue", content="y"), queue("remove", content="y")], ["y", "x"]),
    ([queue("remove")], []),
    ([answer("a1", None), queue("enqueue", content="and the docs")], ["and the docs"]),
    ([queue("enqueue", content="/compact")], []),
    ([queue("enqueue", content="<task-notification>built</task-notification>")], []),
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


JOB = '{"task_id":"b1","description":"Build all","task_type":"local_bash"}'


@pytest.mark.parametrize("note", [JOB, "<task-notification>built</task-notification>"])
def test_a_forgotten_note_of_a_job_holds_back_no_words_of_a_person(note):
    records = [
        queue("enqueue", content=note), call("a1", None, "c1"), queue("enqueue", content="also add tests"), result("r1", "a1", "c1"),
        queue("remove"), answer("a2", "r1"), queue("enqueue", content="staging too"), queue("remove"), answer("a3", "a2", "Good point."),
    ]  # fmt: skip
    told = [part.text for message in messages(read("claude-code", *records)) for part in message.parts]
    order = ["also add tests", "staging too", "Good point."]
    assert [text for text in told if text in order] == order


def test_words_that_came_into_a_turn_are_known_from_those_that_wait_for_its_end():
    records = [queue("enqueue", content="x"), queue("remove"), claude("u1", None, "y"), queue("enqueue", content="z")]
    parts = [part for message in messages(read("claude-code", *records)) for part in message.parts]
    assert [(part.text, AT_WORK in part.data) for part in parts] == [("x", True), ("y", False), ("z", False)]


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


def growing(*lengths, records):
    """The events of one reading of a file that grows, settled at each length."""
    tail: list[Event] = []
    parser = format_named("claude-code").parser(Report(format="claude-code"), 10_000)
    done = 0
    for length in lengths:
        for line in range(done, length):
            tail += parser.record(line, records[line])
        done = length
        tail += parser.finish()
    return tail


@pytest.mark.parametrize(("after", "heard"), [
    ([queue("dequeue"), claude("u2", "a1", "and the docs")], ["u2"]),
    ([queue("popAll")], []),
    ([queue("remove", reason="deleted")], []),
    ([queue("remove")], ["early"]),
    ([attachment("and the docs")], ["early"]),
    ([queue("remove", reason="absorbed_mid_turn"), attachment("and the docs")], ["early"]),
])  # fmt: skip
def test_what_was_told_while_it_waited_is_not_told_twice(after, heard):
    records = [claude("u1", None, "A"), answer("a1", "u1"), queue("enqueue", content="and the docs"), *after]
    events = growing(3, len(records), records=records)
    early = messages(events)[2].external_id
    gone = {name for event in events if isinstance(event, Abandoned) for name in event.external_ids}
    left = [message.external_id for message in messages(events)[2:] if message.external_id not in gone]
    assert left == [early if name == "early" else name for name in heard]


def test_a_later_reading_withdraws_what_an_earlier_one_may_have_told():
    short = [claude("u1", None, "A"), answer("a1", "u1"), queue("enqueue", content="and the docs")]
    told = messages(read("claude-code", *short))[-1]
    assert texts([told], Voice.PERSON) == ["and the docs"]
    later = list(read("claude-code", *short, queue("dequeue"), claude("u2", "a1", "and the docs")))
    assert [event for event in later if isinstance(event, Abandoned)] == [Abandoned((told.external_id,), 3, given=False)]
    assert [message.external_id for message in messages(later)] == ["u1", "a1", "u2"]


STARTED = '{"task_id":"b1","tool_use_id":"toolu_1","description":"Run the tests","task_type":"local_bash"}'
ENDED = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"


@pytest.mark.parametrize("notice", [STARTED, ENDED, '{"task_id":"a1","description":"Look around","task_type":"local_agent"}'])
@pytest.mark.parametrize("after", [[queue("remove")], [queue("dequeue")], [queue("remove", reason="absorbed_mid_turn")], []])
def test_a_notice_of_a_job_in_the_queue_is_nobodys_word(notice, after):
    assert prompts(queue("enqueue", content=notice), *after) == []


def test_a_prompt_behind_notices_in_the_queue_is_heard_once():
    records = [queue("enqueue", content=STARTED), queue("enqueue", content="also add tests"), queue("remove"), queue("remove")]
    assert prompts(*records) == ["also add tests"]


@pytest.mark.parametrize("records", [
    [queue("enqueue", content=ENDED), queue("remove")],
    [attachment(ENDED, commandMode="task-notification")],
    [attachment(ENDED, origin={"kind": "task-notification"})],
    [queue("enqueue", content=ENDED), queue("remove", reason="absorbed_mid_turn"), attachment(ENDED, commandMode="task-notification")],
])  # fmt: skip
def test_that_a_job_ended_is_told_once_by_the_tool(records):
    assert texts(messages(read("claude-code", *records)), Voice.HARNESS) == [ENDED]


@pytest.mark.parametrize("more", [{"origin": {"kind": "coordinator"}}, {"isMeta": True}, {"commandMode": "bash"}])
def test_what_a_tool_queued_in_an_attachment_is_not_the_persons(more):
    assert prompts(attachment("Go on with the plan", **more)) == []
