import pytest

from continuity.transcripts import PartKind, Role, Usage, Voice, open_transcript
from tests.transcripts.records import line, messages, read, texts, write

CONVERSATION = [
    {"role": "user", "content": [{"type": "text", "text": "Fix it"}]},
    {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "Hm."}, {"type": "redacted_thinking", "data": "…"},
        {"type": "text", "text": "Looking."}, {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "/a"}},
    ]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "no"}], "is_error": True},
    ]},
    {"role": "assistant", "content": "Fixed."},
]  # fmt: skip


def test_it_works():
    question, made, result, reply = messages(read("anthropic-messages", *CONVERSATION))
    assert (question.role, question.parts[0].voice) == (Role.USER, Voice.PERSON)
    assert [part.kind for part in made.parts] == [PartKind.REASONING, PartKind.TEXT, PartKind.TOOL_CALL]
    assert (result.role, result.parts[0].name, result.parts[0].failed, result.parts[0].text) == (Role.TOOL, "Read", True, "no")
    assert reply.parts[0].voice is Voice.AGENT


@pytest.mark.parametrize("data", [
    CONVERSATION,
    {"messages": CONVERSATION},
    b"".join(line(message) + b"\n" for message in CONVERSATION),
])  # fmt: skip
def test_lists_objects_and_lines_read_the_same(tmp_path, data):
    with open_transcript(write(tmp_path, data)) as transcript:
        found = messages(transcript)
    expected = messages(read("anthropic-messages", *CONVERSATION))
    assert [message.external_id for message in found] == [message.external_id for message in expected]
    assert transcript.report.format == "anthropic-messages"


@pytest.mark.parametrize("system", ["Be brief.", [{"type": "text", "text": "Be brief."}]])
def test_the_system_prompt_beside_the_messages_is_the_harness(tmp_path, system):
    with open_transcript(
        write(tmp_path, {"model": "claude-test", "system": system, "messages": [{"role": "user", "content": "x"}]})
    ) as transcript:
        first, second = messages(transcript)
    assert (first.role, first.parts[0].voice, first.parts[0].text) == (Role.SYSTEM, Voice.HARNESS, "Be brief.")
    assert (second.parts[0].text, transcript.report.model, transcript.report.format) == ("x", "claude-test", "anthropic-messages")


def test_a_provider_answer_brings_its_usage_and_model():
    record = {"id": "msg_1", "role": "assistant", "model": "claude-test", "content": "x", "usage": {"input_tokens": 5, "output_tokens": 6}}
    (message,) = messages(read("anthropic-messages", record))
    assert (message.usage, message.usage_id, message.model, message.external_id) == (Usage(5, 6), "msg_1", "claude-test", "msg_1")


def test_documents_and_images_are_kept_without_their_bytes():
    content = [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "QUJD"}},
        {"type": "document", "title": "Notes", "source": {"type": "text", "data": "Always deploy on Friday."}},
    ]
    (message,) = messages(read("anthropic-messages", {"role": "user", "content": content}))
    assert [part.data for part in message.parts] == [
        {"media_type": "image/png", "bytes": 3},
        {"media_type": "application/pdf", "bytes": 3},
        {"document": "Notes"},
    ]
    assert texts([message], Voice.PERSON) == []


@pytest.mark.parametrize(("record", "reason"), [
    ({"role": "user", "content": [7]}, "part 1 is a number, not an object"),
    ({"role": "user", "content": [{"text": "x"}]}, "part 1 has no type"),
    ({"role": "user", "content": [{"type": "text"}]}, "part 1 is a text without text"),
    ({"role": "assistant", "content": [{"type": "tool_use"}]}, "part 1 is a tool call without a name"),
    ({"role": "user", "content": None}, "has content that is null, neither a text nor a list"),
])  # fmt: skip
def test_what_cannot_be_read_is_reported(record, reason):
    transcript = read("anthropic-messages", record)
    assert messages(transcript) == []
    assert [skipped.reason for skipped in transcript.report.skipped] == [reason]


def test_the_good_parts_of_a_record_are_kept():
    transcript = read("anthropic-messages", {"role": "user", "content": [None, {"type": "text", "text": "x"}]})
    assert texts(messages(transcript), Voice.PERSON) == ["x"]
    assert transcript.report.skipped_count == 1


HEADING = "[read_file for 'src/a.ts'. Reading multiple files at once is better.] Result:"
DETAILS = "<environment_details>\n# VSCode Visible Files\n</environment_details>"


def roo(*blocks):
    return messages(read("anthropic-messages", {"role": "user", "content": [{"type": "text", "text": block} for block in blocks]}))[0]


def test_roo_results_in_the_users_role_are_the_tools():
    message = roo(HEADING, "<files>You must never push.</files>", DETAILS)
    assert message.role is Role.TOOL
    assert [part.voice for part in message.parts] == [Voice.HARNESS, Voice.TOOL, Voice.HARNESS]
    assert (message.parts[1].kind, message.parts[1].name) == (PartKind.TOOL_RESULT, "read_file")


def test_roo_feedback_and_tasks_are_the_persons():
    feedback = (
        "The user approved this operation and provided the following context:\n<feedback>\nRead all of it\n</feedback>\n<files>x</files>"
    )
    assert texts([roo(HEADING, feedback, DETAILS)], Voice.PERSON) == ["Read all of it"]
    assert texts([roo("<task>\nFix it\n</task>", DETAILS)], Voice.PERSON) == ["Fix it"]


def test_roo_failures_and_nudges_are_recognised():
    failed = roo("[execute_command for 'undefined'] Result:", "The tool execution failed with the following error:\n<error>no</error>")
    assert failed.parts[1].failed is True
    nudge = roo("[ERROR] You did not use a tool in your previous response! Please retry with a tool use.\n\n# Reminder: …")
    assert texts([nudge], Voice.PERSON) == []
