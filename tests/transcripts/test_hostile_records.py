"""Records whose fields are of the wrong type, missing or absurd: whatever they are, reading goes on."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.transcripts import FORMATS, Abandoned, Message, Part, read_lines
from continuity.transcripts.base.sanitise import clean_json
from tests.transcripts.formats import (
    test_aider,
    test_copilot_cli,
    test_gemini_cli,
    test_opencode,
    test_roo_ui,
    test_specstory,
    test_swe_agent,
)
from tests.transcripts.formats.test_claude_results import EDIT
from tests.transcripts.formats.test_codex import META, tokens
from tests.transcripts.records import answer, call, claude, codex, event, item, line, result, said

RECORDS = {
    "claude-code": [
        claude("u1", None, "Fix it"),
        claude("u2", "u1", [{"type": "text", "text": "look"}, {"type": "image", "source": {"media_type": "image/png", "data": "QQ=="}}]),
        call("a1", "u2", "c1", usage={"input_tokens": 1, "output_tokens": 2}),
        result("r1", "a1", "c1", [{"type": "text", "text": "Exit code 1"}], EDIT, is_error=True),
        result("r2", "a1", "c1", "ok", {"newTodos": [{"content": "a"}], "answers": {"q": "a"}, "file": {"filePath": "/a"}, "stderr": "e"}),
        answer("a2", "r1", isSidechain=True, agentId="x"),
        {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "logicalParentUuid": "a1", "compactMetadata": {"preTokens": 1}},
        {"type": "system", "subtype": "local_command", "uuid": "b2", "content": "<command-name>/x</command-name>"},
        {"type": "attachment", "uuid": "q1", "attachment": {"type": "queued_command", "prompt": "also"}},
        {"type": "queue-operation", "operation": "enqueue", "content": "more"},
        {"type": "queue-operation", "operation": "remove", "content": "more", "reason": "absorbed_mid_turn"},
        {"type": "summary", "summary": "T", "leafUuid": "u1"},
        {"type": "custom-title", "customTitle": "T"},
        {"type": "progress", "uuid": "p1", "parentUuid": "r1", "data": {}},
    ],
    "codex": [
        codex("session_meta", META),
        codex("turn_context", {"model": "m", "cwd": "/", "model_context_window": 5}),
        said("user", "Fix it"),
        said("assistant", "Done"),
        item("reasoning", summary=[{"type": "summary_text", "text": "Hm"}], content=[{"text": "x"}]),
        item("function_call", name="f", namespace="n", arguments='{"a": 1}', call_id="c1"),
        item("function_call_output", call_id="c1", output={"content": "x", "success": True}),
        item("custom_tool_call", name="apply_patch", input="x", call_id="c2"),
        event("patch_apply_end", call_id="c2", success=True, changes={"/a": {"type": "update", "unified_diff": "+a"}}),
        item("custom_tool_call_output", call_id="c2", output='{"output":"x","metadata":{"exit_code":1}}'),
        item("local_shell_call", action={"command": ["ls"]}, call_id="c3"),
        item("tool_search_output", call_id="c4", tools=[{"name": "t", "tools": [{"name": "u"}]}]),
        item("image_generation_call", id="i1", result="QQ=="),
        event("mcp_tool_call_end", call_id="c5", result={"Ok": {"is_error": False}}),
        tokens(5, input_tokens=4, cached_input_tokens=2, output_tokens=1),
        codex("compacted", {"message": "m", "replacement_history": []}),
        event("thread_rolled_back", num_turns=1),
        event("turn_aborted", reason="x"),
        event("task_started", model_context_window=7),
        {"type": "message", "role": "user", "content": "flat"},
    ],
    "openai-chat": [
        {"role": "system", "content": "x"},
        {"role": "user", "id": "m1", "timestamp": 1, "content": [
            {"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": "u"}},
        ]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}], "refusal": "no"},
        {"role": "assistant", "content": "x", "function_call": {"name": "f", "arguments": "{}"}, "reasoning": "Hm"},
        {"role": "assistant", "content": "x", "usage": {
            "prompt_tokens": 3, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 2},
        }},
        {"role": "tool", "tool_call_id": "c", "content": "x", "extra": {"returncode": 1, "timestamp": 1.5, "response": {"id": "r"}}},
    ],
    "anthropic-messages": [
        {"role": "user", "content": [{"type": "text", "text": "[read_file for 'x'] Result:"}, {"type": "text", "text": "y"}], "ts": 1},
        {"role": "assistant", "id": "m", "model": "c", "usage": {"input_tokens": 1}, "content": [{"type": "thinking", "thinking": "x"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"a": [1]}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "image", "source": {}}], "is_error": False},
        ]},
        {"role": "user", "content": [{"type": "document", "title": "t", "source": {"type": "text", "data": "x"}}]},
    ],
}  # fmt: skip

RECORDS |= {
    "copilot-cli": test_copilot_cli.SESSION,
    "gemini-cli": [*test_gemini_cli.SESSION, {"$set": {"summary": "x"}}, {"$rewindTo": "u2"}],
    "opencode": test_opencode.SESSION,
    "roo-ui": test_roo_ui.SESSION,
    "swe-agent": [*test_swe_agent.SESSION, *test_swe_agent.NEWER],
}
TEXTS = {"aider": test_aider.HISTORY, "specstory": test_specstory.EARLY + test_specstory.NEWER}

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from(
        [10**30, -1, float("nan"), float("inf"), 1e308, "", " ", "\x00", "\ud800", "9" * 400, [], {}, [[]], [None], {"": None}]
    ),
    st.text(max_size=5),
    st.lists(st.none() | st.integers() | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.none() | st.integers(), max_size=2),
)


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def changed(record, path, junk):
    """The record with something else at a place; without it where `junk` is None by chance of the place being a field."""
    if not path:
        return junk
    record = copy.deepcopy(record)
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    if junk is None and isinstance(inner, dict):
        del inner[path[-1]]
    else:
        inner[path[-1]] = junk
    return record


def check(name, lines):
    """Reads the lines, and holds what comes out to what every reader promises."""
    transcript = read_lines(name, lines, part_limit=2000)
    found = list(transcript)
    ids = [message.external_id for message in found if isinstance(message, Message)]
    assert len(ids) == len(set(ids)) == transcript.report.messages
    assert all(0 < len(external_id) <= 200 for external_id in ids)
    seen: set[str] = set()
    for item_found in found:
        if isinstance(item_found, Abandoned):
            assert set(item_found.external_ids) <= seen if item_found.given else seen.isdisjoint(item_found.external_ids)
            continue
        seen.add(item_found.external_id)
        assert item_found.parts
        for part in item_found.parts:
            written = part.as_json()
            assert clean_json(written, 80) is written
            assert len(part.text) <= 2000
            assert Part.from_json(json.loads(json.dumps(written, allow_nan=False))).as_json() == written
        assert item_found.usage is None or 0 < item_found.usage.context < 2**34
    return found


def test_it_works():
    for name, records in RECORDS.items():
        assert len(check(name, [line(record) for record in records])) >= 5
    assert {*RECORDS, *TEXTS} == set(FORMATS)


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
def test_no_change_of_a_record_stops_the_reading(name, data):
    lines = []
    for record in data.draw(st.lists(st.sampled_from(RECORDS[name]), min_size=1, max_size=6)):
        path = data.draw(st.sampled_from(list(places(record))))
        lines.append(line(changed(record, path, data.draw(JUNK))))
    check(name, lines)


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("junk", [None, 7, -1.5, True, "x", [], [None], {}, {"type": []}, {"a": {}}, float("nan"), "\x00\ud800", 10**40])
def test_every_field_may_be_of_every_type(name, junk):
    for record in RECORDS[name]:
        for path in places(record):
            check(name, [line(changed(record, path, junk)), line(RECORDS[name][0])])


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_no_change_of_a_byte_stops_the_reading(name, data):
    text = bytearray(TEXTS[name].encode() if name in TEXTS else b"\n".join(line(record) for record in RECORDS[name]))
    for _ in range(data.draw(st.integers(min_value=1, max_value=12))):
        text[data.draw(st.integers(min_value=0, max_value=len(text) - 1))] = data.draw(st.integers(min_value=0, max_value=255))
    check(name, bytes(text).split(b"\n"))


@given(st.lists(st.sampled_from([record for records in RECORDS.values() for record in records]), max_size=8))
def test_records_of_other_formats_are_faults_or_nothing(records):
    for name in FORMATS:
        check(name, [line(record) for record in records])
