import json

import pytest

from continuity.transcripts import PartKind, Role, Usage, Voice, detect, open_transcript
from tests.transcripts.distorted import distorted
from tests.transcripts.records import messages, needs_shared, read, shared, texts, write

SAMPLE = ("roo", "RooCodeInc__Roo-Code__natural-mini-uncondensed__ui_messages.json")
ENVIRONMENT = "<environment_details>\n# Current Workspace Directory (/repo) Files\na.py\n</environment_details>"


def says(number, kind, text="", **more):
    return {"ts": 1767323045000 + number, "type": "say", "say": kind, "text": text} | more


def asks(number, kind, text="", **more):
    return {"ts": 1767323045000 + number, "type": "ask", "ask": kind, "text": text} | more


def request(number, sent, **more):
    return says(number, "api_req_started", json.dumps({"request": sent} | more))


SESSION = [
    says(0, "text", "Fix it", images=["data:image/png;base64,AAAA"]),
    request(1, f"<task>\nFix it\n</task>\n\n{ENVIRONMENT}", tokensIn=100, tokensOut=5, cacheReads=40, cacheWrites=0, apiProtocol="openai"),
    says(2, "reasoning", "Hm."),
    says(3, "text", "Reading."),
    asks(4, "tool", json.dumps({"tool": "readFile", "path": "a.py", "content": "/repo/a.py"})),
    request(5, f"[read_file for 'a.py'] Result:\n\nx = 1\n\n[ERROR] is in the file\n\n{ENVIRONMENT}"),
    asks(6, "command", "make"),
    says(7, "command_output", "one"),
    request(8, "[execute_command for 'make'] Result:\n\nCommand executed. Exit code: 2\nOutput:\none"),
    asks(9, "command", "ls"),
    says(10, "command_output", "two"),
    says(11, "user_feedback", "not so"),
    request(12, "[ERROR] You did not use a tool in your previous response!"),
    asks(13, "tool", json.dumps({"tool": "updateTodoList", "todos": [{"content": "Test", "status": "pending"}]})),
    asks(14, "followup", json.dumps({"question": "Which?", "suggest": [{"answer": "this"}, {"answer": "that"}]})),
    says(15, "condense_context", contextCondense={"summary": "We fixed it.", "prevContextTokens": 9000, "newContextTokens": 900}),
    says(16, "completion_result", "All done."),
    says(17, "checkpoint_saved", "abc"),
]


def test_it_works(tmp_path):
    with open_transcript(write(tmp_path, SESSION)) as transcript:
        found = messages(transcript)
    assert transcript.report.format == "roo-ui"
    assert [(part.kind, part.voice, part.text) for part in found[0].parts] == [
        (PartKind.TEXT, Voice.PERSON, "Fix it"),
        (PartKind.IMAGE, Voice.PERSON, ""),
    ]
    assert texts(found, Voice.PERSON) == ["Fix it", "not so"]
    assert texts(found, Voice.AGENT) == ["Reading.", "All done."]
    parts = [part for message in found for part in message.parts]
    calls = [(part.name, dict(part.input)) for part in parts if part.kind is PartKind.TOOL_CALL]
    assert calls == [
        ("read_file", {"path": "a.py"}),
        ("execute_command", {"command": "make"}),
        ("execute_command", {"command": "ls"}),
        ("update_todo_list", {"todos": [{"content": "Test", "status": "pending"}]}),
        ("ask_followup_question", {"question": "Which?", "follow_up": ["this", "that"]}),
    ]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    assert [(part.name, part.exit_code, part.failed) for part in results] == [
        ("read_file", None, None),
        ("execute_command", 2, True),
        ("execute_command", None, None),
    ]
    assert results[0].text == "x = 1\n\n[ERROR] is in the file"
    assert results[2].text == "two"
    assert {part.call_id for part in results} < {part.call_id for part in parts if part.kind is PartKind.TOOL_CALL}
    assert [part.data for part in parts if part.kind is PartKind.BOUNDARY] == [{"preTokens": 9000, "postTokens": 900}]
    assert texts(found, Voice.SUMMARY) == ["We fixed it."]
    assert [message.usage for message in found if message.usage] == [Usage(60, 5, 40)] * 3
    assert (found[1].usage_id, transcript.report.cwd, transcript.report.skipped) == ("api:1767323045001", "/repo", [])


def test_output_that_no_request_repeats_is_a_result_at_the_end():
    found = messages(read("roo-ui", SESSION[0], SESSION[6], SESSION[7]))
    assert (found[-1].role, found[-1].parts[0].name, found[-1].parts[0].text) == (Role.TOOL, "execute_command", "one")


def test_it_is_recognised_by_what_it_says_and_asks(tmp_path):
    assert detect(write(tmp_path, SESSION)) == "roo-ui"
    assert detect(write(tmp_path, [7, *SESSION])) == "roo-ui"


@pytest.mark.parametrize(("bad", "reason"), [
    ([], "is a list, not an object"),
    ({"ts": 1, "type": "sing"}, "neither says nor asks anything"),
    ({"ts": 1, "type": "say"}, "does not say what it says"),
    (says(1, "text", 7), "has a text that is a number"),
    (asks(1, "tool", "{}"), "is a tool call without a name"),
])  # fmt: skip
def test_a_bad_entry_is_reported_and_the_rest_is_read(bad, reason):
    transcript = read("roo-ui", SESSION[0], bad, SESSION[11])
    assert texts(messages(transcript), Voice.PERSON) == ["Fix it", "not so"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, reason)]


def test_a_list_that_is_cut_off_is_read_up_to_the_break(tmp_path):
    data = json.dumps(SESSION).encode()
    with open_transcript(write(tmp_path, data[: data.index(b"user_feedback")])) as transcript:
        assert texts(messages(transcript), Voice.PERSON) == ["Fix it"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(11, "is cut off: the file ends within it")]


@pytest.mark.parametrize("record", SESSION, ids=lambda record: str(record["ts"]))
def test_wrong_types_never_raise(record):
    for odd in distorted(record):
        assert texts(messages(read("roo-ui", odd, says(99, "user_feedback", "Last"))), Voice.PERSON)[-1] == "Last"


@pytest.mark.parametrize("text", ["[1]", "7", "null", "{", '{"tool": 7}', '{"request": [], "tokensIn": "x"}', "[" * 100_000])
@pytest.mark.parametrize("kind", ["tool", "followup", "use_mcp_server", "api_req_started", "user_feedback_diff"])
def test_wrong_json_within_a_text_never_raises(kind, text):
    assert texts(messages(read("roo-ui", says(1, kind, text), says(2, "user_feedback", "Last"))), Voice.PERSON)[-1] == "Last"


@needs_shared
def test_a_real_session_is_read_whole():
    with shared(*SAMPLE) as transcript:
        found = messages(transcript)
    parts = [part for message in found for part in message.parts]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    report = transcript.report
    assert (report.records, len(found), report.skipped, report.cwd) == (41, 33, [], "c:/dev/roo-code")
    assert [part.name for part in parts if part.kind is PartKind.TOOL_CALL] == ["read_file"] * 7 + ["attempt_completion"]
    assert [(part.name, part.failed) for part in results] == [("execute_command", True), *[("read_file", None)] * 7]
    assert all(part.call_id for part in results[1:])
    assert [text[:40] for text in texts(found, Voice.PERSON)] == [
        "# Rédaction des réponses aux commentaire",
        "Lis les fichiers en entier stp",
    ]
    assert len({message.usage_id for message in found if message.usage}) == 10
    assert len({message.external_id for message in found}) == len(found)
