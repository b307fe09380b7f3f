"""Calls that Codex writes as JavaScript, and what such a script shows."""

import json

import pytest

from continuity.transcripts.codex.outputs import ToolOutput, read_output
from continuity.transcripts.codex.scripts import ScriptCall, calls_in
from tests.transcripts.records import event, item, messages, read

PATCH = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch"
RUNNING = "Script running with cell ID 3\nWall time 31.0 seconds\nOutput:\n"
HEADER = "Script completed\nWall time 3.8 seconds\nOutput:\n"


def shown(*texts, header=HEADER):
    return [{"type": "input_text", "text": text} for text in (header, *texts)]


def test_it_works():
    script = 'const r = await tools.exec_command({cmd:"git status --short","workdir":"/srv/app",yield_time_ms:10000}); text(r.output)\n'
    records = [
        item("custom_tool_call", name="exec", call_id="c1", input=script),
        event("item_completed", item={"type": "CommandExecution", "command": ["/bin/sh", "-c", "git status --short"], "exit_code": 1}),
        item("custom_tool_call_output", call_id="c1", output=shown("A  t3.json\n")),
    ]
    call, result = (message.parts[0] for message in messages(read("codex", *records)))
    assert (call.name, dict(call.input)) == (
        "exec_command",
        {"cmd": "git status --short", "workdir": "/srv/app", "yield_time_ms": 10000},
    )
    assert (result.name, result.text, result.exit_code) == ("exec_command", "A  t3.json\n", 1)


@pytest.mark.parametrize(("script", "expected"), [
    ("text(await tools.write_stdin({session_id:18422,chars:'\\u0003'}))",
     ScriptCall("write_stdin", {"session_id": 18422, "chars": "\x03"})),
    ("tools.exec_command({ cmd: `ls\n\\${p}`, // all\n tty: true, n: -1.5, none: null, list: [1, 'a',] })",
     ScriptCall("exec_command", {"cmd": "ls\n${p}", "tty": True, "n": -1.5, "none": None, "list": [1, "a"]})),
    ("const p = '/a b';\nconst cmd = \"cat \\\"x\\\"\"; await tools.exec_command({cmd, workdir: p})",
     ScriptCall("exec_command", {"cmd": 'cat "x"', "workdir": "/a b"})),
    ("tools.exec_command({cmd: 'one ' +\n 'two'})", ScriptCall("exec_command", {"cmd": "one two"})),
    (f"const patch = {json.dumps(PATCH)};\ntext(await tools.apply_patch(patch))", ScriptCall("apply_patch", {"patch": PATCH})),
    ("await tools.mcp__docs__find({query:'x'})", ScriptCall("mcp__docs__find", {"query": "x"})),
    ("await Promise.all([tools.exec_command({cmd:'a',workdir:'/w'}),tools.mcp__x({}),tools.exec_command({cmd:'b'})])",
     ScriptCall("exec_command", {"cmd": "a\nb", "workdir": "/w"})),
    (f"await tools.apply_patch({json.dumps(PATCH)}); await tools.exec_command({{cmd:'make test'}})",
     ScriptCall("exec_command", {"cmd": f"apply_patch <<'PATCH'\n{PATCH}\nPATCH\nmake test"})),
    ("const p = 'a\\\\b'; tools.exec_command({cmd: `cat ${p} ${ p }`})", ScriptCall("exec_command", {"cmd": "cat a\\b a\\b"})),
    ("tools.exec_command({cmd: \"rg 'tools.exec_command({cmd:1})' # it's\"})",
     ScriptCall("exec_command", {"cmd": "rg 'tools.exec_command({cmd:1})' # it's"})),
    (f"const patch = {json.dumps(PATCH + chr(10) + 'const patch = 1; tools.exec_command({cmd:`rm x`})')}; tools.apply_patch(patch)",
     ScriptCall("apply_patch", {"patch": PATCH + "\nconst patch = 1; tools.exec_command({cmd:`rm x`})"})),
    ("// tools.exec_command({cmd:'old'})\n/* tools.a({}) */ tools.exec_command({cmd:'new'})", ScriptCall("exec_command", {"cmd": "new"})),
    ("for (const p of paths) await tools.exec_command({cmd:`rm ${p}`})", None),
    ("tools.exec_command({cmd:`rm ${build(p)}`})", None),
    ("for (const p of paths) await tools.exec_command({cmd: build(p)})", None),
    ("text(ALL_TOOLS.filter(x => /github/.test(x.name)))", None),
    ("tools.a({}); tools.b({})", None),
    ("tools.exec_command({cmd:'unclosed", None),
    ("tools.exec_command(", None),
    ("tools.exec_command({" + "a:{" * 5000, None),
    ("tools.exec_command({n:" + "9" * 9000 + "})", None),
    ("tools.exec_command({...given, cmd:'x'})", None),
    ("", None),
])  # fmt: skip
def test_what_a_script_has_its_tools_do(script, expected):
    assert calls_in(script) == expected


@pytest.mark.parametrize("script", [
    "const a=`" * 40_000, "tools.x(/*" * 30_000, "tools.x(" * 40_000, "tools.x('a'+" * 30_000,
    'x("' + '\\"' * 300_000, "`${" * 90_000,
])  # fmt: skip
def test_a_hostile_script_calls_nothing(script):
    assert calls_in(script) is None


@pytest.mark.parametrize(("raw", "expected"), [
    (shown("two\n", "lines"), ToolOutput("two\n\nlines", data={"wall_seconds": 3.8, "script": "completed"})),
    (shown('{"exit_code":1,"output":"no"}'), ToolOutput("no", 1, data={"wall_seconds": 3.8, "script": "completed"})),
    (shown('{"exit_code":0,"output":"a"}', '{"exit_code":2,"output":"b"}'),
     ToolOutput("a\nb", 2, data={"wall_seconds": 3.8, "script": "completed"})),
    (shown('{"session_id":7,"output":"so far"}'),
     ToolOutput("so far", data={"wall_seconds": 3.8, "script": "completed", "session_id": 7, "running": True})),
    (shown("boom", header="Script failed\nWall time 0.1 seconds\nOutput:\n"),
     ToolOutput("boom", failed=True, data={"wall_seconds": 0.1, "script": "failed"})),
    (shown(header=RUNNING),
     ToolOutput("", data={"wall_seconds": 31.0, "session_id": "cell 3", "running": True})),
    (HEADER + "whole", ToolOutput("whole", data={"wall_seconds": 3.8, "script": "completed"})),
    (shown("{}"), ToolOutput("{}", data={"wall_seconds": 3.8, "script": "completed"})),
])  # fmt: skip
def test_what_a_script_shows(raw, expected):
    assert read_output(raw) == expected


def test_a_script_that_goes_on_is_looked_at_like_a_process():
    records = [
        item("custom_tool_call", name="exec", call_id="c1", input="tools.exec_command({cmd:'make all'})"),
        item("custom_tool_call_output", call_id="c1", output=shown(header=RUNNING)),
        item("function_call", name="wait", call_id="c2", arguments='{"cell_id":"3"}'),
        item("function_call_output", call_id="c2", output=shown("built")),
    ]
    _, going, look, ended = (message.parts[0] for message in messages(read("codex", *records)))
    assert (going.data["running"], going.data["session_id"]) == (True, "cell 3")
    assert (look.name, dict(look.input)) == ("write_stdin", {"session_id": "cell 3"})
    assert (ended.text, ended.data["status"]) == ("built", "completed")


def test_a_script_that_can_not_be_read_stays_what_it_is():
    script = "for (const p of paths) await tools.exec_command({cmd: build(p)})"
    (call,) = messages(read("codex", item("custom_tool_call", name="exec", call_id="c1", input=script)))
    assert (call.parts[0].name, dict(call.parts[0].input)) == ("exec", {"input": script})
