import pytest

from continuity.transcripts import PartKind, Role, Usage, Voice, detect
from tests.transcripts.distorted import distorted
from tests.transcripts.records import messages, needs_shared, read, shared, texts, write_lines

SAMPLE = ("copilot-cli", "EntityProcess__agentv__269e1b9e5502-0.full.jsonl")
CONTEXT = {"cwd": "/repo", "branch": "main", "gitRoot": "/repo"}


def happened(kind, number=0, parent=None, **data):
    return {"type": kind, "data": data, "id": f"e{number}", "timestamp": f"2026-01-02T03:04:{number:02}Z", "parentId": parent}


SESSION = [
    happened("session.start", 0, sessionId="s1", version=1, context=CONTEXT),
    happened("session.model_change", 1, newModel="gpt-test"),
    happened("system.message", 2, role="system", content="You are Copilot."),
    happened("user.message", 3, content="Fix it", attachments=[{"type": "file", "path": "a.py"}], transformedContent="<now/>Fix it"),
    happened("assistant.turn_start", 4, turnId="0"),
    happened("assistant.message", 5, messageId="m1", content="Looking.", reasoningText="Hm.", outputTokens=12, toolRequests=[
        {"toolCallId": "c1", "name": "bash", "arguments": {"command": "false"}},
        {"toolCallId": "c2", "name": "edit", "arguments": '{"path": "a.py"}'},
        {"toolCallId": "c3", "name": "bash", "arguments": {"command": "sleep 9"}},
    ]),
    happened("hook.start", 6, hookType="preToolUse", input={}),
    happened("tool.execution_start", 7, toolCallId="c1", toolName="bash", arguments={}),
    happened("tool.execution_complete", 8, toolCallId="c1", success=True,
             result={"content": "no\n<shellId: 4 completed with exit code 1>"}),
    happened("tool.execution_complete", 9, toolCallId="c2", success=True,
             result={"content": "updated", "detailedContent": "--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z\n"}),
    happened("tool.execution_complete", 10, toolCallId="c3", success=True,
             result={"content": "<command with shellId: 5 is still running after 30 seconds. Use read_bash>"}),
    happened("permission.completed", 11, result={"kind": "denied-interactively-by-user", "feedback": "not that file"}),
    happened("tool.execution_complete", 12, toolCallId="c9", success=False, error={"message": "gone", "code": "failure"}),
    happened("session.compaction_complete", 13, preCompactionTokens=900, summaryContent="We fixed it."),
    happened("assistant.message", 14, content="Done.", model="other", inputTokens=100, cacheReadTokens=40, outputTokens=5,
             parentToolCallId="c8"),
]  # fmt: skip


def test_it_works():
    transcript = read("copilot-cli", *SESSION)
    system, asked, answered, ran, edited, waits, denied, failed, compacted, aside = messages(transcript)
    assert [(part.voice, part.text) for part in system.parts] == [(Voice.HARNESS, "You are Copilot.")]
    assert [(part.voice, part.text) for part in asked.parts] == [(Voice.PERSON, "Fix it"), (Voice.HARNESS, "a.py")]
    assert [part.kind for part in answered.parts] == [PartKind.REASONING, PartKind.TEXT, *[PartKind.TOOL_CALL] * 3]
    assert answered.parts[3].input == {"path": "a.py"}
    assert (answered.model, answered.cwd, answered.branch, answered.usage) == ("gpt-test", "/repo", "main", None)
    assert (ran.role, ran.parts[0].name, ran.parts[0].text) == (Role.TOOL, "bash", "no")
    assert (ran.parts[0].exit_code, ran.parts[0].failed) == (1, True)
    assert (edited.parts[0].failed, edited.parts[0].data) == (False, {"linesAdded": 2, "linesRemoved": 1})
    assert waits.parts[0].data == {"session_id": "5", "running": True}
    assert (denied.role, denied.parts[0].voice, denied.parts[0].text) == (Role.USER, Voice.PERSON, "not that file")
    assert (failed.parts[0].text, failed.parts[0].failed) == ("gone", True)
    assert [(part.kind, part.voice) for part in compacted.parts] == [
        (PartKind.BOUNDARY, Voice.HARNESS),
        (PartKind.TEXT, Voice.SUMMARY),
    ]
    assert (aside.agent, aside.usage) == ("c8", Usage(60, 5, 40))
    report = transcript.report
    assert (report.session_id, report.cwd, report.branch, report.model) == ("s1", "/repo", "main", "gpt-test")
    assert report.skipped == []


def test_it_is_recognised_by_its_events(tmp_path):
    assert detect(write_lines(tmp_path, *SESSION)) == "copilot-cli"
    assert detect(write_lines(tmp_path, b"{torn", *SESSION[3:])) == "copilot-cli"


@pytest.mark.parametrize(("bad", "reason"), [
    (7, "is a number, not an object"),
    ({"data": {}}, "has no type"),
    ({"type": "user.message"}, "has no data"),
    ({"type": "user.message", "data": "x"}, "has data that is a text, not an object"),
    (b'{"type": "user.me', "is not valid JSON (unterminated string starting at character 10)"),
    (happened("assistant.message", content="x", toolRequests=[{"toolCallId": "c"}]), "tool call 1 has no name"),
])  # fmt: skip
def test_a_bad_event_is_reported_and_the_rest_is_read(bad, reason):
    transcript = read("copilot-cli", SESSION[3], bad, SESSION[-1])
    said = [part.text for message in messages(transcript) for part in message.parts]
    assert (said[0], said[-1]) == ("Fix it", "Done.")
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, reason)]


@pytest.mark.parametrize("record", SESSION, ids=lambda record: record["type"])
def test_wrong_types_never_raise(record):
    for odd in distorted(record):
        found = messages(read("copilot-cli", odd, SESSION[3]))
        assert texts(found, Voice.PERSON)[-1] == "Fix it"


@needs_shared
def test_a_real_session_is_read_whole():
    with shared(*SAMPLE) as transcript:
        found = messages(transcript)
    parts = [part for message in found for part in message.parts]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    report = transcript.report
    assert (report.records, len(found), report.skipped) == (551, 125, [])
    assert sum(part.kind is PartKind.TOOL_CALL for part in parts) == len(results) == 68
    assert [code for part in results if (code := part.exit_code)] == [1, 128]
    assert sum(part.exit_code == 0 for part in results) == 55
    assert [part.data["session_id"] for part in results if part.data.get("running")] == ["22", "27", "30", "40"]
    assert all(part.name for part in results)
    assert len(texts(found, Voice.PERSON)) == 1
    assert (report.session_id, report.model) == ("10fb4666-56f0-4352-90fc-715caf95b418", "claude-sonnet-4.6")
    assert (report.cwd, report.branch) == ("/home/entity/projects/EntityProcess/agentv", "main")
    assert len({message.external_id for message in found}) == len(found)


def test_what_a_call_took_is_told_before_its_answer():
    took = {"inputTokens": 156_000, "outputTokens": 7, "cacheReadTokens": 1_000, "cacheWriteTokens": 0, "apiCallId": "c1"}
    transcript = read(
        "copilot-cli",
        *SESSION[:4],
        happened("session.usage_record", 4, usage=took),
        happened("assistant.message", 5, content="Built.", apiCallId="c1"),
        happened("assistant.message", 6, content="Another one.", apiCallId="c2"),
    )
    first, second = messages(transcript)[-2:]
    assert (first.usage, second.usage) == (Usage(155_000, 7, 1_000), None)
