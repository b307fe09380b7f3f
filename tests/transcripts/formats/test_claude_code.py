from datetime import UTC, datetime

import pytest

from continuity.transcripts import Message, PartKind, Role, Usage, Voice, read_lines
from tests.transcripts.records import answer, call, claude, messages, read, result, texts

USAGE = {"input_tokens": 3, "output_tokens": 40, "cache_read_input_tokens": 500, "cache_creation_input_tokens": 7}


def test_it_works():
    transcript = read("claude-code", claude("u1", None, "Fix the login bug"), answer("a1", "u1", usage=USAGE))
    question, reply = messages(transcript)
    assert question.role is Role.USER
    assert question.parts[0].voice is Voice.PERSON
    assert question.parts[0].text == "Fix the login bug"
    assert (question.external_id, question.parent_id, question.line) == ("u1", "", 0)
    assert (question.cwd, question.branch, question.agent) == ("/repo", "main", "")
    assert question.at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert (reply.role, reply.model, reply.parent_id, reply.line) == (Role.ASSISTANT, "claude-test", "u1", 1)
    report = transcript.report
    assert (report.format, report.session_id, report.provider, report.model) == ("claude-code", "s1", "anthropic", "claude-test")
    assert (report.records, report.messages, report.cwd, report.branch) == (2, 2, "/repo", "main")


def test_all_records_of_one_answer_share_its_usage_and_usage_id():
    records = [answer("a1", None, id="m1", usage=USAGE), call("a2", "a1", "c1", id="m1", usage=USAGE)]
    first, second = messages(read("claude-code", *records))
    assert first.usage_id == second.usage_id == "m1"
    assert first.usage == second.usage == Usage(input=3, output=40, cache_read=500, cache_write=7)
    assert first.usage is not None
    assert first.usage.context == 550


def test_thinking_is_reasoning_and_calls_keep_name_id_and_input():
    content = [{"type": "thinking", "thinking": "Hm."}, {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "/a"}}]
    (message,) = messages(read("claude-code", claude("a1", None, content, "assistant")))
    reasoning, made = message.parts
    assert (reasoning.kind, reasoning.text) == (PartKind.REASONING, "Hm.")
    assert (made.kind, made.name, made.call_id, made.input) == (PartKind.TOOL_CALL, "Read", "c1", {"file_path": "/a"})


def test_a_tool_result_is_the_tools_word_under_its_calls_name():
    records = [call("a1", None, "c1"), result("r1", "a1", "c1", "Exit code 2\nboom", is_error=True)]
    message = messages(read("claude-code", *records))[1]
    assert message.role is Role.TOOL
    (part,) = message.parts
    assert (part.kind, part.voice, part.name, part.call_id) == (PartKind.TOOL_RESULT, Voice.TOOL, "Bash", "c1")
    assert (part.failed, part.exit_code) == (True, 2)


def test_a_reminder_behind_an_output_is_not_the_tools_word():
    text = "1→x = 1\n\n<system-reminder>\nRefuse to improve it.\n</system-reminder>\n<system-reminder>\nBe brief.\n</system-reminder>\n"
    message = messages(read("claude-code", call("a1", None, "c1"), result("r1", "a1", "c1", text)))[1]
    printed, reminder = message.parts
    assert (printed.kind, printed.text) == (PartKind.TOOL_RESULT, "1→x = 1")
    assert (reminder.kind, reminder.voice) == (PartKind.TEXT, Voice.HARNESS)
    assert "Refuse" in reminder.text
    assert "Be brief" in reminder.text
    assert message.role is Role.TOOL


def test_a_reminder_in_the_middle_of_an_output_belongs_to_it():
    text = "<system-reminder>\nof a file about reminders\n</system-reminder>\nx = 1"
    assert [part.text for part in messages(read("claude-code", result("r1", None, "c1", text)))[0].parts] == [text]


def test_a_result_that_says_nothing_of_failing_did_not_fail():
    part = messages(read("claude-code", result("r1", None, "c1")))[0].parts[0]
    assert (part.failed, part.exit_code) == (False, None)


def test_result_lists_give_their_texts_and_their_images_without_the_bytes():
    content = [
        {"type": "text", "text": "one"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}},
        {"type": "text", "text": "two"},
    ]
    text, image = messages(read("claude-code", result("r1", None, "c1", content)))[0].parts
    assert text.text == "one\ntwo"
    assert (image.kind, image.voice, image.call_id) == (PartKind.IMAGE, Voice.TOOL, "c1")
    assert image.data == {"media_type": "image/png", "bytes": 3}


@pytest.mark.parametrize("record", [
    {"type": "progress", "uuid": "p", "parentUuid": None, "data": {"type": "hook_progress"}},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
    {"type": "queue-operation", "operation": "enqueue", "content": "/compact"},
    {"type": "system", "subtype": "turn_duration", "uuid": "x", "parentUuid": None, "isMeta": True},
    {"type": "system", "subtype": "stop_hook_summary", "uuid": "x", "parentUuid": None},
    {"type": "attachment", "uuid": "x", "parentUuid": None, "attachment": {"type": "todo_reminder", "content": []}},
    {"type": "some-future-record", "uuid": "x"},
])  # fmt: skip
def test_records_beside_the_conversation_are_no_messages_and_no_faults(record):
    transcript = read("claude-code", record)
    assert messages(transcript) == []
    assert transcript.report.skipped == []


def test_meta_records_are_the_harness_speaking():
    transcript = read("claude-code", claude("u1", None, "Base text of a skill", isMeta=True))
    assert texts(messages(transcript), Voice.HARNESS) == ["Base text of a skill"]


def test_what_a_task_notified_is_not_the_persons_word():
    record = claude("u1", None, "The build ended", origin={"kind": "task-notification"})
    assert messages(read("claude-code", record))[0].parts[0].voice is Voice.HARNESS


def test_api_errors_are_neither_the_agents_words_nor_usage():
    record = answer("a1", None, "API Error: 500", isApiErrorMessage=True, usage=USAGE)
    (message,) = messages(read("claude-code", record))
    assert message.parts[0].voice is Voice.HARNESS
    assert (message.usage, message.model) == (None, "")


def test_a_compaction_is_a_boundary_and_a_summary():
    boundary = {
        "type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": None, "logicalParentUuid": "a1",
        "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 167081},
    }  # fmt: skip
    summary = claude("u2", "b1", "Please remember: never push.", isCompactSummary=True)
    found = messages(read("claude-code", answer("a1", None), boundary, summary))
    assert (found[1].role, found[1].parts[0].kind, found[1].parent_id) == (Role.SYSTEM, PartKind.BOUNDARY, "a1")
    assert found[1].parts[0].data == {"trigger": "auto", "preTokens": 167081}
    assert found[2].parts[0].voice is Voice.SUMMARY


def test_side_chains_are_named_by_agent_or_first_record_and_hold_no_person():
    records = [
        claude("u1", None, "Look around", isSidechain=True),
        answer("a1", "u1", isSidechain=True),
        answer("a2", None, isSidechain=True, agentId="agent7"),
        claude("u2", None, "Hello"),
    ]
    found = messages(read("claude-code", *records))
    assert [message.agent for message in found] == ["u1", "u1", "agent7", ""]
    assert texts(found, Voice.PERSON) == ["Hello"]


def test_the_last_session_id_is_the_own_one_and_earlier_ones_are_lineage():
    records = [
        claude("u1", None, "a", sessionId="old"),
        claude("u2", "u1", "b", sessionId="older"),
        claude("u3", "u2", "c", sessionId="new"),
    ]
    transcript = read("claude-code", *records)
    messages(transcript)
    assert (transcript.report.session_id, transcript.report.lineage) == ("new", ["old", "older"])


def test_a_title_given_by_a_person_outranks_generated_ones():
    records = [
        {"type": "summary", "summary": "Of another file", "leafUuid": "nowhere"},
        {"type": "summary", "summary": "Of this file", "leafUuid": "u1"},
        {"type": "summary", "summary": "Of a third file", "leafUuid": "nowhere else"},
        claude("u1", None, "hi"),
    ]
    transcript = read("claude-code", *records)
    messages(transcript)
    assert transcript.report.title == "Of this file"
    named = read("claude-code", {"type": "custom-title", "customTitle": "Mine"}, *records, {"type": "ai-title", "aiTitle": "Its"})
    messages(named)
    assert named.report.title == "Mine"


def test_a_record_that_stands_twice_is_read_once():
    transcript = read("claude-code", claude("u1", None, "hi"), claude("u1", None, "hi"))
    assert len(messages(transcript)) == 1
    assert transcript.report.skipped[0].reason == "repeats the record u1"


def test_records_without_an_id_are_named_by_their_content():
    bare = {"type": "user", "message": {"role": "user", "content": "hi"}}
    first, second = messages(read("claude-code", bare, bare))
    again = messages(read("claude-code", bare, bare, bare))
    assert first.external_id != second.external_id
    assert [message.external_id for message in again[:2]] == [first.external_id, second.external_id]


def test_messages_come_while_the_file_is_read():
    def lines():
        yield b'{"type":"user","uuid":"u1","message":{"role":"user","content":"hi"}}'
        raise AssertionError("read ahead")

    assert isinstance(next(iter(read_lines("claude-code", lines()))), Message)


@pytest.mark.parametrize("words", ["No response requested.", "(no content)"])
def test_what_stands_where_the_agent_said_nothing_is_no_ones_word(words):
    found = messages(read("claude-code", claude("u1", None, "Go on"), answer("a1", "u1", words)))
    assert texts(found, Voice.AGENT) == []
    assert texts(found, Voice.HARNESS) == [words]
