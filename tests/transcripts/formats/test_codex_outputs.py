import pytest

from continuity.transcripts.codex.outputs import ToolOutput, read_output
from tests.transcripts.records import event, item, messages, read

FULL = "Chunk ID: 056982\nWall time: 0.5000 seconds\nProcess exited with code 0\nOriginal token count: 1613\nOutput:\n---\nname: x\n"
RUNNING = "Chunk ID: 7020a5\nWall time: 30.0004 seconds\nProcess running with session ID 69824\nOriginal token count: 12\nOutput:\nbuilding"


def test_it_works():
    output = read_output(FULL)
    assert (output.text, output.exit_code, output.failed) == ("---\nname: x\n", 0, None)
    assert output.data == {"chunk_id": "056982", "wall_seconds": 0.5, "original_tokens": 1613}


@pytest.mark.parametrize(("raw", "expected"), [
    (RUNNING, ToolOutput("building", data={
        "chunk_id": "7020a5", "wall_seconds": 30.0004, "session_id": 69824, "original_tokens": 12, "running": True,
    })),
    ("Exit code: 1\nWall time: 0 seconds\nOutput:\nno\n", ToolOutput("no\n", 1, data={"wall_seconds": 0})),
    ("Wall time: 4.3 seconds\nOutput:\n{}", ToolOutput("{}", data={"wall_seconds": 4.3})),
    ('{"output":"a","metadata":{"exit_code":3,"duration_seconds":0.1}}', ToolOutput("a", 3, data={"wall_seconds": 0.1})),
    ({"content": "no", "success": False}, ToolOutput("no", failed=True)),
    ([{"type": "input_text", "text": "a"}, {"type": "input_image"}, {"text": "b"}, 7], ToolOutput("a\nb")),
    ("Plan updated", ToolOutput("Plan updated")),
    ("execution error: no such file", ToolOutput("execution error: no such file", failed=True)),
    ("aborted by user after 3.2s", ToolOutput("aborted by user after 3.2s", failed=True)),
    ('{"other": 1}', ToolOutput('{"other": 1}')),
    ("{" * 100_000, ToolOutput("{" * 100_000)),
    ("Output:\nnot a header", ToolOutput("Output:\nnot a header")),
    ("Process exited with code 1 of 2\nOutput:\n", ToolOutput("Process exited with code 1 of 2\nOutput:\n")),
    ("Exit code: 99999999999\nOutput:\n", ToolOutput("Exit code: 99999999999\nOutput:\n")),
    ("Exit code: 0\nand that is all", ToolOutput("Exit code: 0\nand that is all")),
    (None, ToolOutput("")), (7, ToolOutput("")), ("", ToolOutput("")),
])  # fmt: skip
def test_outputs_of_every_form_are_read(raw, expected):
    assert read_output(raw) == expected


def test_a_patchs_changes_stand_with_its_output():
    diff = "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n"
    changes = {
        "/a": {"type": "update", "unified_diff": diff, "move_path": None},
        "/b": {"type": "add", "content": "one\ntwo\n"},
        "/c": {"type": "delete", "content": "one"},
        "/d": {"type": "update", "unified_diff": "", "move_path": "/e"},
    }
    records = [
        item("custom_tool_call", name="apply_patch", call_id="c1", input="…"),
        event("patch_apply_end", call_id="c1", success=True, changes=changes),
        item("custom_tool_call_output", call_id="c1", output="Success."),
    ]
    part = messages(read("codex", *records))[1].parts[0]
    assert (part.name, part.failed) == ("apply_patch", False)
    assert part.data["changes"] == [
        {"path": "/a", "type": "update", "added": 2, "removed": 1},
        {"path": "/b", "type": "add", "added": 2, "removed": 0},
        {"path": "/c", "type": "delete", "added": 0, "removed": 1},
        {"path": "/d", "type": "update", "added": 0, "removed": 0, "move_path": "/e"},
    ]


@pytest.mark.parametrize(("told", "failed", "exit_code"), [
    (event("exec_command_end", call_id="c1", exit_code=2), True, 2),
    (event("mcp_tool_call_end", call_id="c1", result={"Err": "no"}), True, None),
    (event("mcp_tool_call_end", call_id="c1", result={"Ok": {"is_error": True}}), True, None),
    (event("mcp_tool_call_end", call_id="c1", result={"Ok": {"content": []}}), False, None),
    (event("patch_apply_end", call_id="c1", success=False, changes={}), True, None),
    (event("patch_apply_end", call_id="another", success=False, changes={}), None, None),
])  # fmt: skip
def test_events_tell_how_a_call_ended(told, failed, exit_code):
    part = messages(read("codex", told, item("function_call_output", call_id="c1", output="text")))[0].parts[0]
    assert (part.failed, part.exit_code) == (failed, exit_code)


def test_a_patch_of_many_files_is_summed_up():
    changes = {f"/{number}": {"type": "add", "content": "x"} for number in range(100)}
    records = [event("patch_apply_end", call_id="c1", success=True, changes=changes), item("function_call_output", call_id="c1", output="")]
    data = messages(read("codex", *records))[0].parts[0].data
    assert (len(data["changes"]), data["more_changes"]) == (60, 40)
