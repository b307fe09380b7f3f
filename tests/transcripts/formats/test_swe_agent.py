import json

import pytest

from continuity.transcripts import PartKind, Role, Voice, detect, open_transcript
from tests.transcripts.distorted import distorted
from tests.transcripts.records import messages, needs_shared, read, shared, texts, write

SAMPLE = ("swe-agent", "SWE-agent__SWE-agent__gpt4__swe-bench-dev-easy_first_only__default__t-0.00__p-0.95__pydicom__pydicom-1458.traj")
PROMPT = "We solve the following issue.\nISSUE:\nIt breaks\n\nINSTRUCTIONS:\nBe careful."


def said(role, content, **more):
    return {"role": role, "content": content, "agent": "primary"} | more


def acted(thought, action):
    return said("assistant", f"{thought}\n```\n{action}\n```", thought=thought, action=f"{action}\n")


def seen(text, file="/repo/a.py"):
    return said("user", f"{text}\n(Open file: {file})\n(Current directory: /repo)\nbash-$")


SESSION = [
    said("system", "You are a programmer."),
    said("user", "Here is a demonstration", is_demo=True),
    said("user", PROMPT),
    acted("First.", "create a.py"),
    seen("[File: /repo/a.py (1 lines total)]"),
    acted("Then.", "edit 1:2\nx = 1\nend_of_edit"),
    seen("Your proposed edit has introduced new syntax error(s)."),
    acted("Run.", "python a.py"),
    seen("ok"),
    acted("Look.", 'find_file "b.py"'),
    seen("Found 1 matches", "n/a"),
    acted("Done.", "submit"),
]
NEWER = [
    said("system", [{"type": "text", "text": "Help."}], message_type="system_prompt"),
    said("user", [{"type": "text", "text": "<pr_description>\nIt breaks\n</pr_description>\nFix it."}], message_type="observation"),
    said("assistant", "Looking.", thinking_blocks=[{"type": "thinking", "thinking": "Hm."}], message_type="action", tool_calls=[
        {"id": "c1", "type": "function", "function": {"name": "str_replace_editor", "arguments": '{"command": "view", "path": "/r"}'}}]),
    said("tool", [{"type": "text", "text": "OBSERVATION:\nfiles"}], tool_call_ids=["c1"], message_type="observation"),
]  # fmt: skip
INFO = {"exit_status": "submitted", "submission": "\ndiff --git a/a.py b/a.py\n"}


def test_it_works(tmp_path):
    with open_transcript(write(tmp_path, {"environment": "main", "trajectory": [], "history": SESSION, "info": INFO})) as transcript:
        found = messages(transcript)
    assert transcript.report.format == "swe-agent"
    assert [(part.voice, part.text) for part in found[2].parts] == [
        (Voice.HARNESS, "We solve the following issue.\nISSUE:"),
        (Voice.PERSON, "It breaks"),
        (Voice.HARNESS, "INSTRUCTIONS:\nBe careful."),
    ]
    assert [message.role for message in found[:2]] == [Role.SYSTEM, Role.SYSTEM]
    calls = [part for message in found for part in message.parts if part.kind is PartKind.TOOL_CALL]
    assert [(call.name, dict(call.input)) for call in calls] == [
        ("create", {"path": "a.py"}),
        ("edit", {"path": "/repo/a.py", "start_line": 1, "end_line": 2, "new_text": "x = 1"}),
        ("bash", {"command": "python a.py"}),
        ("find_file", {"input": '"b.py"'}),
        ("submit", {}),
    ]
    results = [part for message in found for part in message.parts if part.kind is PartKind.TOOL_RESULT]
    assert [part.name for part in results] == ["create", "edit", "bash", "find_file", "submit"]
    assert [part.failed for part in results] == [None, True, None, None, False]
    assert (results[2].text, results[4].text) == ("ok", "diff --git a/a.py b/a.py")
    assert texts(found, Voice.AGENT) == ["First.", "Then.", "Run.", "Look.", "Done."]
    assert (transcript.report.cwd, found[-1].cwd, transcript.report.skipped) == ("/repo", "/repo", [])


def test_the_newer_form_with_tool_calls_is_read(tmp_path):
    with open_transcript(write(tmp_path, {"history": NEWER, "replay_config": '{"problem_statement": {"id": "p1"}}'})) as transcript:
        _, prompt, answer, observed = messages(transcript)
    assert [part.text for part in prompt.parts if part.voice is Voice.PERSON] == ["It breaks"]
    assert [part.kind for part in answer.parts] == [PartKind.REASONING, PartKind.TEXT, PartKind.TOOL_CALL]
    assert (observed.role, observed.parts[0].name, observed.parts[0].text) == (Role.TOOL, "str_replace_editor", "files")
    assert transcript.report.session_id == "p1"


def test_chat_messages_stay_chat_messages(tmp_path):
    plain = [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}]
    assert detect(write(tmp_path, {"messages": plain, "history": SESSION})) == "openai-chat"
    assert detect(write(tmp_path, {"history": SESSION, "note": {"messages": plain}})) == "swe-agent"


@pytest.mark.parametrize(("bad", "reason"), [
    (None, "is null, not an object"),
    ({"content": "x"}, "has no role"),
    (said("robot", "x"), "has the role 'robot', which is not known"),
    (said("assistant", 7), "has content that is a number, neither a text nor a list"),
    (said("assistant", "x", tool_calls=[{"id": "c"}]), "tool call 1 has no name"),
    (said("assistant", ["x"]), "part 1 is of no known kind"),
])  # fmt: skip
def test_a_bad_message_is_reported_and_the_rest_is_read(bad, reason):
    transcript = read("swe-agent", SESSION[2], bad, SESSION[7], SESSION[8])
    found = messages(transcript)
    assert (texts(found, Voice.PERSON), found[-1].parts[0].text) == (["It breaks"], "ok")
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, reason)]


def test_a_trajectory_that_is_cut_off_is_read_up_to_the_break(tmp_path):
    data = json.dumps({"history": SESSION, "info": INFO}).encode()
    with open_transcript(write(tmp_path, data[: data.index(b"Run.")])) as transcript:
        assert len(messages(transcript)) == 7
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(7, "is cut off: the file ends within it")]


@pytest.mark.parametrize("record", [*SESSION[2:5], *NEWER], ids=str)
def test_wrong_types_never_raise(record):
    for odd in distorted(record):
        found = messages(read("swe-agent", odd, said("assistant", "Last")))
        assert found[-1].parts[-1].text == "Last"


@needs_shared
def test_a_real_trajectory_is_read_whole():
    with shared(*SAMPLE) as transcript:
        found = messages(transcript)
    parts = [part for message in found for part in message.parts]
    calls = [part.name for part in parts if part.kind is PartKind.TOOL_CALL]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    report = transcript.report
    assert (report.records, len(found), report.skipped, report.cwd) == (26, 27, [], "/pydicom__pydicom")
    assert sorted(calls) == ["bash"] * 3 + ["create"] + ["edit"] * 5 + ["find_file", "open", "submit"]
    assert [part.name for part in results] == calls
    assert sum(part.failed is True for part in results) == 3
    assert results[-1].text.startswith("diff --git a/pydicom/")
    assert len(texts(found, Voice.PERSON)) == 1
    assert texts(found, Voice.PERSON)[0].startswith("Pixel Representation attribute should be optional")


@pytest.mark.parametrize("blank", ["", "\n", " \n", "\t\n \n", "\u2028\n"])
def test_an_action_may_begin_with_blank_lines(blank):
    looked = said("assistant", "Look.", thought="Look.", action=f"{blank}ls -a\n")
    transcript = read("swe-agent", said("user", PROMPT), looked, seen("a.py"))
    (call,) = [part for message in messages(transcript) for part in message.parts if part.kind is PartKind.TOOL_CALL]
    assert call.input == {"command": "ls -a"}
    assert not transcript.report.skipped
