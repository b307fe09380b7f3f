import json

import pytest

from continuity.transcripts import PartKind, Role, Usage, Voice, detect, open_transcript
from tests.transcripts.distorted import distorted
from tests.transcripts.records import abandoned, messages, read, texts, write

TOKENS = {"input": 10, "output": 5, "reasoning": 2, "cache": {"read": 30, "write": 4}}


def message(role, name, *parts, **info):
    return {"info": {"id": name, "sessionID": "s1", "role": role, "time": {"created": 1767323045000}} | info, "parts": list(parts)}


def tool(call_id, name, given, status="completed", **state):
    return {"type": "tool", "callID": call_id, "tool": name, "state": {"status": status, "input": given} | state}


def text(words, **more):
    return {"type": "text", "text": words} | more


ASKED = message("user", "m1", text("Fix it"), text("Called the Read tool", synthetic=True),
                {"type": "file", "mime": "text/plain", "filename": "a.py", "url": "file:///a.py"},
                {"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"})  # fmt: skip
ANSWERED = message(
    "assistant", "m2",
    {"type": "step-start"}, {"type": "reasoning", "text": "Hm."}, text("Trying."),
    tool("c1", "bash", {"command": "make"}, output="no", metadata={"exit": 2, "output": "no"}),
    tool("c2", "edit", {"filePath": "a.py"}, output="", metadata={"filediff": {"file": "a.py", "additions": 2, "deletions": 1}}),
    tool("c3", "read", {"filePath": "b.py"}, "error", error="not found"),
    tool("c4", "bash", {"command": "sleep"}, "running"),
    {"type": "step-finish", "tokens": TOKENS}, {"type": "patch", "hash": "h1", "files": ["/repo/a.py"]}, text("Fixed."),
    modelID="model-test", providerID="maker", tokens=TOKENS, path={"cwd": "/repo/sub", "root": "/repo"},
)  # fmt: skip
SESSION = [
    ASKED,
    ANSWERED,
    message("user", "m3", {"type": "compaction", "auto": True}),
    message("assistant", "m4", text("What was done."), summary=True),
]
INFO = {"id": "s1", "title": "Fixing", "directory": "/repo", "parentID": "s0", "version": "1.0"}


def test_it_works(tmp_path):
    with open_transcript(write(tmp_path, {"info": INFO, "messages": SESSION})) as transcript:
        asked, answered, ended, fixed, compacted, summed = messages(transcript)
    assert [(part.kind, part.voice) for part in asked.parts] == [
        (PartKind.TEXT, Voice.PERSON), (PartKind.TEXT, Voice.HARNESS), (PartKind.TEXT, Voice.HARNESS), (PartKind.IMAGE, Voice.PERSON),
    ]  # fmt: skip
    assert [part.kind for part in answered.parts] == [PartKind.REASONING, PartKind.TEXT, *[PartKind.TOOL_CALL] * 4, PartKind.TEXT]
    assert answered.parts[-1].data == {"patch": "h1", "files": ["/repo/a.py"]}
    shell, edit, gone = ended.parts
    assert (ended.role, shell.name, shell.text, shell.exit_code, shell.failed) == (Role.TOOL, "bash", "no", 2, True)
    assert (edit.failed, edit.data) == (False, {"linesAdded": 2, "linesRemoved": 1, "filePath": "a.py"})
    assert (gone.failed, gone.text) == (True, "not found")
    assert [part.text for part in fixed.parts] == ["Fixed."]
    assert (answered.usage, answered.usage_id, fixed.usage_id) == (Usage(10, 7, 30, 4), "m2", "m2")
    assert (answered.external_id, ended.external_id, fixed.external_id) == ("m2", "m2/results", "m2:1")
    assert (asked.cwd, answered.cwd, answered.model) == ("/repo", "/repo/sub", "model-test")
    assert compacted.parts[0].kind is PartKind.BOUNDARY
    assert summed.parts[0].voice is Voice.SUMMARY
    report = transcript.report
    assert (report.format, report.session_id, report.lineage, report.title) == ("opencode", "s1", ["s0"], "Fixing")
    assert (report.provider, report.model, report.skipped) == ("maker", "model-test", [])


def test_it_is_recognised_by_its_messages(tmp_path):
    assert detect(write(tmp_path, {"messages": SESSION, "info": INFO})) == "opencode"
    assert detect(write(tmp_path, SESSION)) == "opencode"


def test_what_was_taken_back_is_abandoned(tmp_path):
    with open_transcript(write(tmp_path, {"info": INFO | {"revert": {"messageID": "m2"}}, "messages": SESSION[:2]})) as transcript:
        assert abandoned(list(transcript)) == ["m2", "m2/results", "m2:1"]


@pytest.mark.parametrize(("bad", "reason"), [
    ("x", "is a text, not an object"),
    ({"parts": []}, "has no info"),
    ({"info": {"role": "user"}, "parts": "x"}, "has parts that are a text, not a list"),
    (message("robot", "x"), "has the role 'robot', which is not known"),
    (message("assistant", "x", {"type": "tool", "callID": "c"}), "part 1 is a tool call without a name"),
    (message("assistant", "x", {"type": "text"}), "part 1 is a text without text"),
    (message("assistant", "x", {"type": "dance"}), "part 1 is of the kind 'dance', which is not known"),
    (message("user", "x", 7), "part 1 has no type"),
])  # fmt: skip
def test_a_bad_message_is_reported_and_the_rest_is_read(bad, reason):
    transcript = read("opencode", ASKED, bad, message("user", "m9", text("Go on")))
    assert texts(messages(transcript), Voice.PERSON) == ["Fix it", "Go on"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, reason)]


def test_an_export_that_is_cut_off_is_read_up_to_the_break(tmp_path):
    data = json.dumps({"info": INFO, "messages": SESSION}).encode()
    with open_transcript(write(tmp_path, data[: data.index(b"step-finish")])) as transcript:
        assert texts(messages(transcript), Voice.PERSON) == ["Fix it"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, "is cut off: the file ends within it")]


@pytest.mark.parametrize("record", SESSION, ids=lambda record: record["info"]["id"])
def test_wrong_types_never_raise(record):
    for odd in distorted(record):
        assert texts(messages(read("opencode", odd, message("user", "m9", text("Last")))), Voice.PERSON)[-1] == "Last"
