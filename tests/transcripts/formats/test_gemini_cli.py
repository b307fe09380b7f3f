import json

import pytest

from continuity.transcripts import PartKind, Role, Usage, Voice, detect, open_transcript
from tests.transcripts.distorted import distorted
from tests.transcripts.records import abandoned, messages, needs_shared, read, shared, texts, write, write_lines

SAMPLE = ("gemini-cli", "mischa-thisness__M-Gemini__session-2025-12-24T21-37-2ccb51c5.json")
SHELL = "Command: make\nDirectory: src\nOutput: one\nError: none such\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 7"


def entry(kind, name, content="", **more):
    return {"id": name, "timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "content": content} | more


def tool(call_id, name, status="success", **more):
    response = {"functionResponse": {"id": call_id, "name": name, "response": {"output": more.pop("output", "ok")}}}
    return {"id": call_id, "name": name, "args": more.pop("args", {}), "result": [response], "status": status} | more


DIFF = {"fileDiff": "@@", "fileName": "a.py", "originalContent": None, "diffStat": {"model_added_lines": 3, "model_removed_lines": 0}}
ANSWER = entry("gemini", "g1", "Running.", model="gemini-test", thoughts=[{"subject": "Plan", "description": "Run it."}],
               tokens={"input": 100, "output": 5, "cached": 40, "thoughts": 7, "tool": 0, "total": 112},
               toolCalls=[tool("c1", "run_shell_command", output=SHELL, args={"command": "make"}),
                          tool("c2", "write_file", resultDisplay=DIFF, args={"file_path": "a.py", "content": "x"}),
                          tool("c3", "replace", "cancelled"), tool("c4", "replace", "error", result=[], resultDisplay="bad"),
                          tool("c5", "glob", "executing")])  # fmt: skip
SESSION = [
    entry("user", "u1", "Build it"),
    ANSWER,
    entry("info", "i1", "Request cancelled."),
    entry("user", "u2", [{"text": "See @a.py"}, {"text": "\n--- Content from referenced files ---\nx = 1"}]),
    entry("user", "u3", [{"text": "expanded"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}], displayContent="typed"),
]
HEAD = {"sessionId": "s1", "projectHash": "abc", "startTime": "2026-01-02T03:04:05.000Z", "summary": "Building"}


def test_it_works(tmp_path):
    with open_transcript(write(tmp_path, HEAD | {"messages": SESSION})) as transcript:
        asked, answered, ended, cancelled, mentioned, typed = messages(transcript)
    assert [(part.voice, part.text) for part in asked.parts] == [(Voice.PERSON, "Build it")]
    assert [part.kind for part in answered.parts] == [PartKind.REASONING, PartKind.TEXT, *[PartKind.TOOL_CALL] * 5]
    assert (answered.model, answered.usage, answered.usage_id) == ("gemini-test", Usage(60, 12, 40), "g1")
    shell, written, stopped, failed = ended.parts
    assert (ended.role, shell.name, shell.exit_code, shell.failed, shell.data) == (
        Role.TOOL, "run_shell_command", 2, True, {"directory": "src"},
    )  # fmt: skip
    assert shell.text == "one\nError: none such"
    assert (written.failed, written.data) == (False, {"filePath": "a.py", "type": "create", "linesAdded": 3, "linesRemoved": 0})
    assert (stopped.failed, stopped.data) == (True, {"cancelled": True})
    assert (failed.failed, failed.text) == (True, "bad")
    assert (cancelled.role, cancelled.parts[0].voice) == (Role.SYSTEM, Voice.HARNESS)
    assert [part.voice for part in mentioned.parts] == [Voice.PERSON, Voice.HARNESS]
    assert [(part.voice, part.text) for part in typed.parts if part.text] == [(Voice.PERSON, "typed"), (Voice.HARNESS, "expanded")]
    report = transcript.report
    assert (report.format, report.session_id, report.title, report.provider) == ("gemini-cli", "s1", "Building", "google")
    assert report.skipped == []


def test_lines_with_updates_and_a_rewind_are_read(tmp_path):
    early = ANSWER | {"toolCalls": [ANSWER["toolCalls"][0] | {"status": "executing"}]}
    rewind = {"$rewindTo": "u2"}
    path = write_lines(tmp_path, HEAD, SESSION[0], early, ANSWER, {"$set": {"summary": "Later"}}, SESSION[3], SESSION[4], rewind)
    assert detect(path) == "gemini-cli"
    with open_transcript(path) as transcript:
        found = list(transcript)
    said = messages(found)
    calls = [part.call_id for message in said for part in message.parts if part.kind is PartKind.TOOL_CALL]
    assert calls == ["c1", "c2", "c3", "c4", "c5"]
    assert texts(said, Voice.AGENT) == ["Running."]
    assert abandoned(found) == ["u2", "u3"]
    assert transcript.report.title == "Later"


@pytest.mark.parametrize(("bad", "reason"), [
    ([], "is a list, not an object"),
    ({"id": "x"}, "has no type"),
    (entry("robot", "x", "beep"), "has the type 'robot', which is not known"),
    (entry("user", "x", 7), "has content that is a number, neither a text nor a list"),
    (entry("user", "x", ["hm", 7]), "part 2 is a number, not an object"),
    (entry("gemini", "x", "hm", toolCalls=[{"id": "c"}]), "tool call 1 has no name"),
])  # fmt: skip
def test_a_bad_record_is_reported_and_the_rest_is_read(bad, reason):
    transcript = read("gemini-cli", SESSION[0], bad, SESSION[3])
    prompts = texts(messages(transcript), Voice.PERSON)
    assert (prompts[0], prompts[-1]) == ("Build it", "See @a.py")
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, reason)]


def test_a_session_that_is_cut_off_is_read_up_to_the_break(tmp_path):
    data = json.dumps(HEAD | {"messages": SESSION}).encode()
    with open_transcript(write(tmp_path, data[: data.index(b'"u2"')])) as transcript:
        found = messages(transcript)
    assert len(found) == 4
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(3, "is cut off: the file ends within it")]


@pytest.mark.parametrize("record", [*SESSION, {"$set": HEAD}, {"$rewindTo": "u1"}], ids=lambda record: str(record.get("id")))
def test_wrong_types_never_raise(record):
    for odd in distorted(record):
        assert texts(messages(read("gemini-cli", odd, entry("user", "last", "Last"))), Voice.PERSON)[-1] == "Last"


def test_the_shells_report_in_an_output_is_output():
    text = "Output: log\nExit Code: 3\nmore\nExit Code: 0\nSignal: (none)"
    (message,) = messages(read("gemini-cli", entry("gemini", "g", toolCalls=[tool("c", "run_shell_command", output=text)])))[1:]
    assert (message.parts[0].text, message.parts[0].exit_code) == ("log\nExit Code: 3\nmore", 0)


@needs_shared
def test_a_real_session_is_read_whole():
    with shared(*SAMPLE) as transcript:
        found = messages(transcript)
    parts = [part for message in found for part in message.parts]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    report = transcript.report
    assert (report.records, len(found), report.skipped) == (80, 134, [])
    assert sum(part.kind is PartKind.TOOL_CALL for part in parts) == len(results) == 78
    assert sorted(part.exit_code for part in results if part.exit_code is not None) == [*[0] * 33, *[1] * 4, 2]
    assert sum(part.failed is True for part in results) == 13
    assert len(texts(found, Voice.PERSON)) == 13
    assert sum(part.kind is PartKind.REASONING for part in parts) == 158
    assert sum(bool(message.usage) for message in found) == 66
    assert (report.title, report.model) == ("Configure YubiKey for sudo and login", "gemini-3-pro-preview")
    assert len({message.external_id for message in found}) == len(found)
