"""Whatever JSON is sent as a message, it is recorded or refused; it never is a fault of ours."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.caller import Caller, person

words = st.text(max_size=12) | st.sampled_from(["\x00", "\ud800", "text", "tool_use", "c1", "<system-reminder>x</system-reminder>"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
anything = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=8)
KINDS = ["text", "thinking", "tool_use", "tool_result", "image", "image_url", "input_text"]
FIELDS = ["text", "thinking", "name", "id", "input", "tool_use_id", "content", "is_error", "source", "image_url"]
blocks = st.fixed_dictionaries({"type": st.sampled_from(KINDS) | anything}, optional=dict.fromkeys(FIELDS, anything))
SETTABLE = ["title", "metadata", "model", "cwd", "expires_at", "max_context_tokens", "external_id"]
objects = st.dictionaries(words, anything, max_size=3)
parts = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["text", "reasoning", "tool_call", "tool_result", "image", "boundary"]),
        "voice": st.sampled_from(["person", "agent", "tool", "harness", "summary"]),
        "exit_code": st.none() | st.integers(-300, 300),
        "failed": st.none() | st.booleans(),
        **dict.fromkeys(("text", "name", "call_id"), words),
        **dict.fromkeys(("input", "data"), objects),
    },
)
roles = st.sampled_from(["user", "assistant", "system", "tool", "developer", "function"])
circumstances = {
    **dict.fromkeys(("external_id", "usage_id", "model", "agent", "cwd", "branch"), words),
    "usage": objects | st.dictionaries(st.sampled_from(["input", "output", "input_tokens", "prompt_tokens"]), anything),
}
calls = st.fixed_dictionaries({}, optional={"id": anything, "function": anything, "custom": anything})
chat = {"content": st.lists(blocks, max_size=3) | words | st.none(), "tool_calls": st.lists(calls, max_size=2) | anything}
wild = dict.fromkeys(("function_call", "tool_call_id", "id", "timestamp", "name", "reasoning_content", "extra", "refusal"), anything)
messages = (
    st.fixed_dictionaries({"role": roles}, optional={**chat, **wild, **circumstances})
    | st.fixed_dictionaries({"role": roles, "parts": st.lists(parts, min_size=1, max_size=3)}, optional=circumstances)
    | st.dictionaries(st.sampled_from(["role", "content", "parts", "at", *circumstances]), anything)
)

leisurely = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def test_it_works(api: Caller) -> None:
    assert api.say(api.open(), person("Hello")).status_code == 201


@leisurely
@given(sent=st.lists(messages, min_size=1, max_size=3))
def test_any_message_is_recorded_or_refused(api: Caller, sent: list[dict[str, Any]]) -> None:
    conversation = api.open()
    answer = api.say(conversation, *sent)
    assert answer.status_code in (201, 422), answer.content
    if answer.status_code == 201:
        assert len(answer.json()["seqs"]) == len(sent)
        assert api.get(f"/conversations/{conversation}/messages").status_code == 200
        assert api.post(f"/conversations/{conversation}/handoffs").status_code == 201


@leisurely
@given(
    body=st.dictionaries(
        st.sampled_from(["title", "metadata", "model", "cwd", "expires_at", "max_context_tokens", "external_id"]), anything
    )
)
def test_any_conversation_is_opened_or_refused(api: Caller, body: dict[str, Any]) -> None:
    assert api.post("/conversations", body).status_code in (201, 409, 422)


@leisurely
@given(query=st.dictionaries(st.sampled_from(["cursor", "limit", "status", "source_tool", "q", "type"]), st.text(max_size=20)))
def test_any_query_is_answered_or_refused(api: Caller, query: dict[str, str]) -> None:
    assert api.get("/conversations", **{name: value.encode("utf-8", "replace") for name, value in query.items()}).status_code in (200, 422)
