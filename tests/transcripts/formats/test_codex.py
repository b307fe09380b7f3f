import pytest

from continuity.transcripts import Abandoned, PartKind, Role, Usage, Voice, read_lines
from tests.transcripts.records import abandoned, codex, event, item, line, messages, read, said, texts

META = {
    "id": "own", "cwd": "/repo", "cli_version": "0.140.0", "model_provider": "openai", "git": {"branch": "main"},
    "base_instructions": {"text": "You are Codex."},
}  # fmt: skip


def tokens(total, at="2026-01-02T03:04:06Z", **last):
    info = {"total_token_usage": {"total_tokens": total}, "last_token_usage": last, "model_context_window": 258_400}
    return event("token_count", at, info=info)


def test_it_works():
    records = [
        codex("session_meta", META),
        codex("turn_context", {"model": "gpt-test", "cwd": "/repo/sub"}),
        said("user", "Fix it"),
        item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="c1"),
        item("function_call_output", call_id="c1", output="Process exited with code 1\nOutput:\nno such file\n"),
        said("assistant", "Fixed."),
    ]
    transcript = read("codex", *records)
    system, question, made, output, reply = messages(transcript)
    assert (system.role, system.parts[0].voice, system.parts[0].text) == (Role.SYSTEM, Voice.HARNESS, "You are Codex.")
    assert (question.parts[0].voice, question.cwd, question.branch) == (Voice.PERSON, "/repo/sub", "main")
    assert (made.role, made.model, made.parts[0].input) == (Role.ASSISTANT, "gpt-test", {"cmd": "ls"})
    assert (output.role, output.parts[0].text, output.parts[0].name) == (Role.TOOL, "no such file\n", "exec_command")
    assert (output.parts[0].exit_code, output.parts[0].failed) == (1, True)
    assert (reply.parts[0].voice, reply.line) == (Voice.AGENT, 5)
    report = transcript.report
    assert (report.session_id, report.provider, report.model) == ("own", "openai", "gpt-test")
    assert (report.cwd, report.branch) == ("/repo/sub", "main")


def test_injected_context_in_the_users_role_is_the_harness():
    injected = "<environment_context>\n<cwd>/repo</cwd>\n</environment_context>"
    found = messages(read("codex", said("user", injected), said("developer", "Be brief."), said("user", "Hello")))
    assert texts(found, Voice.PERSON) == ["Hello"]
    assert [message.role for message in found] == [Role.USER, Role.SYSTEM, Role.USER]


def test_events_that_repeat_messages_are_none():
    records = [said("user", "Hello"), event("user_message", message="Hello"), event("agent_message", message="Hi"), said("assistant", "Hi")]
    assert [part.text for message in messages(read("codex", *records)) for part in message.parts] == ["Hello", "Hi"]


def test_a_token_count_belongs_to_the_answer_before_it_and_counts_cached_tokens_once():
    records = [
        said("user", "Hello"),
        item("reasoning", summary=[{"type": "summary_text", "text": "Hm."}]),
        item("function_call", name="exec_command", arguments="{}", call_id="c1"),
        item("function_call_output", call_id="c1", output="ok"),
        tokens(18_728, input_tokens=18_089, cached_input_tokens=2_432, output_tokens=639, reasoning_output_tokens=516, total_tokens=18_728),
        said("assistant", "Done"),
        tokens(38_000, "2026-01-02T03:04:09Z", input_tokens=19_000, cached_input_tokens=18_000, output_tokens=10),
    ]
    transcript = read("codex", *records)
    question, reasoning, made, output, reply = messages(transcript)
    assert (question.usage, output.usage) == (None, None)
    assert reasoning.usage == made.usage == Usage(input=15_657, output=639, cache_read=2_432)
    assert made.usage is not None
    assert made.usage.context == 18_728
    assert reasoning.usage_id == made.usage_id != reply.usage_id
    assert reply.usage == Usage(input=1_000, output=10, cache_read=18_000)
    assert transcript.report.max_context_tokens == 258_400
    assert [message.line for message in (question, reasoning, made, output, reply)] == [0, 1, 2, 3, 5]


def test_a_count_that_only_repeats_the_last_is_not_given_to_another_answer():
    records = [
        said("assistant", "a"),
        tokens(10, input_tokens=9, output_tokens=1),
        said("assistant", "b"),
        tokens(10, input_tokens=9, output_tokens=1),
    ]
    assert [message.usage is not None for message in messages(read("codex", *records))] == [True, False]


def test_an_answer_without_a_count_is_not_held_back_for_ever():
    records = [said("assistant", "a"), said("user", "b")]
    assert [message.parts[0].text for message in messages(read("codex", *records))] == ["a", "b"]
    assert [message.parts[0].text for message in messages(read("codex", said("assistant", "a")))] == ["a"]


def test_a_compaction_is_a_boundary_and_what_it_repeats_is_not_said_again():
    history = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]}]
    records = [
        said("user", "Hello"),
        codex("compacted", {"message": "We greeted.", "replacement_history": history}),
        event("context_compacted"),
    ]
    found = messages(read("codex", *records))
    assert texts(found, Voice.PERSON) == ["Hello"]
    assert [part.kind for part in found[1].parts] == [PartKind.BOUNDARY, PartKind.TEXT]
    assert (found[1].parts[0].data, found[1].parts[1].voice) == ({"kept_items": 1}, Voice.SUMMARY)


@pytest.mark.parametrize(("kind", "fields", "name", "expected"), [
    ("function_call", {"name": "f", "arguments": '{"a": [1, NaN]}'}, "f", {"a": [1, "[nan]"]}),
    ("function_call", {"name": "f", "arguments": "not json"}, "f", {"arguments": "not json"}),
    ("function_call", {"name": "f", "arguments": "[1]"}, "f", {"arguments": [1]}),
    ("function_call", {"name": "f", "arguments": ""}, "f", {}),
    ("function_call", {"name": "_get", "namespace": "mcp__hub", "arguments": "{}"}, "mcp__hub_get", {}),
    ("custom_tool_call", {"name": "apply_patch", "input": "*** Begin Patch"}, "apply_patch", {"patch": "*** Begin Patch"}),
    ("custom_tool_call", {"name": "run", "input": "x = 1"}, "run", {"input": "x = 1"}),
    ("local_shell_call", {"action": {"type": "exec", "command": ["ls"]}}, "shell", {"type": "exec", "command": ["ls"]}),
    ("web_search_call", {"action": {"type": "search", "query": "q"}}, "web_search", {"type": "search", "query": "q"}),
    ("tool_search_call", {"arguments": {"query": "q"}}, "tool_search", {"query": "q"}),
])  # fmt: skip
def test_calls_of_every_kind_are_read(kind, fields, name, expected):
    (message,) = messages(read("codex", item(kind, call_id="c1", **fields)))
    (part,) = message.parts
    assert (part.kind, part.name, part.call_id, part.input) == (PartKind.TOOL_CALL, name, "c1", expected)


def test_an_aborted_turn_is_told_once():
    aborted = "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>"
    newer = messages(
        read("codex", said("user", aborted), event("turn_aborted", reason="interrupted"), event("turn_aborted", reason="replaced"))
    )
    assert texts(newer, Voice.HARNESS) == [aborted, "<turn_aborted>replaced</turn_aborted>"]
    older = messages(read("codex", event("turn_aborted", reason="interrupted"), event("turn_aborted", reason="interrupted")))
    assert len({message.external_id for message in older}) == 2


def test_a_rollback_abandons_the_last_turns():
    records = [
        said("user", "A"),
        said("assistant", "a"),
        said("user", "B"),
        said("assistant", "b"),
        said("user", "C"),
        said("assistant", "c"),
    ]
    found = list(read("codex", *records, event("thread_rolled_back", num_turns=2), said("user", "D")))
    everything = [message.external_id for message in messages(found)]
    assert found[-2] == Abandoned(tuple(everything[2:6]), line=6)
    assert abandoned(read("codex", *records, event("thread_rolled_back", num_turns=99))) == everything[:6]
    assert abandoned(read("codex", *records, event("thread_rolled_back", num_turns=0))) == []


def test_the_first_session_is_the_own_one_and_others_are_lineage():
    records = [
        codex("session_meta", META | {"forked_from_id": "parent"}),
        codex("session_meta", META | {"id": "grandparent"}),
        codex("session_meta", META),
    ]
    transcript = read("codex", *records)
    assert len(messages(transcript)) == 1
    assert (transcript.report.session_id, transcript.report.lineage) == ("own", ["parent", "grandparent"])


def test_the_older_form_without_payloads_is_read():
    records = [
        {"id": "own", "timestamp": "2025-06-01T00:00:00Z", "instructions": "Be brief.", "git": {"branch": "dev"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"a\\n","metadata":{"exit_code":0}}'},
    ]
    transcript = read("codex", *records)
    found = messages(transcript)
    assert [message.role for message in found] == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL]
    assert (found[3].parts[0].text, found[3].parts[0].exit_code) == ("a\n", 0)
    assert (transcript.report.session_id, transcript.report.branch, transcript.report.skipped) == ("own", "dev", [])


def test_ids_are_unique_and_the_same_when_the_file_has_grown():
    made, output = item("function_call", name="f", arguments="{}", call_id="c1"), item("function_call_output", call_id="c1", output="x")
    records = [said("user", "go on"), made, output, said("user", "go on"), made]
    ids = [message.external_id for message in messages(read("codex", *records))]
    assert len(set(ids)) == 5
    assert [ids[1], ids[2], ids[4]] == ["function_call:c1", "function_call_output:c1", "function_call:c1:1"]
    assert [message.external_id for message in messages(read("codex", *records, said("user", "go on")))][:5] == ids


def test_lines_that_come_later_continue_the_same_reading():
    first = read_lines("codex", [line(said("user", "go on"))])
    before = messages(first)
    rest = [line(said("user", "go on")), line(event("thread_rolled_back", num_turns=2))]
    later = list(read_lines("codex", rest, first_line=1, after=first))
    assert messages(later)[0].line == 1
    assert abandoned(later) == [before[0].external_id, messages(later)[0].external_id]
    assert len(set(abandoned(later))) == 2
    assert first.report.messages == 2


def test_images_are_kept_without_their_bytes():
    content = [{"type": "input_text", "text": "look"}, {"type": "input_image", "image_url": "data:image/png;base64,QUJDRA=="}]
    (message,) = messages(read("codex", item("message", role="user", content=content)))
    assert message.parts[1].data == {"media_type": "image/png", "bytes": 6}
