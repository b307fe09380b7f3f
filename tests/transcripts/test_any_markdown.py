"""Whatever is written in a session, and whichever tool wrote it down: it is read, folded and handed off whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from continuity.transcripts import read_lines
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.transcripts.test_hostile_records import RECORDS, TEXTS
from tests.whole_way import gone, messages_of
from tests.words_of_markdown import MARKDOWN

# Where tools keep what was said and printed.
SAID = {"text", "content", "thinking", "output", "summary", "prompt", "message", "result", "stdout", "observation", "response", "thought"}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
KINDS = [
    *[(role, PartKind.TEXT, voice) for role in Role for voice in Voice],
    *[(Role.ASSISTANT, kind, Voice.AGENT) for kind in (PartKind.REASONING, PartKind.TOOL_CALL)],
    (Role.TOOL, PartKind.TOOL_RESULT, Voice.TOOL),
]


@settings(deadline=None, suppress_health_check=SLOW)
@given(st.lists(st.tuples(st.sampled_from(KINDS), MARKDOWN, st.booleans()), min_size=1, max_size=8))
def test_it_works(said: list[tuple[tuple[Role, PartKind, Voice], str, bool]]) -> None:
    gone([Message(role, (_part(kind, voice, text),), "", agent="side" if aside else "") for (role, kind, voice), text, aside in said])


def _part(kind: PartKind, voice: Voice, text: str) -> Part:
    if kind is PartKind.TOOL_CALL:
        return Part(kind, voice, name="Bash", call_id="c1", input={"command": text, "file_path": text[:80], "content": text})
    return Part(
        kind, voice, text, call_id="c1" if kind is PartKind.TOOL_RESULT else "", exit_code=0 if kind is PartKind.TOOL_RESULT else None
    )


@pytest.mark.parametrize("name", RECORDS)
@settings(max_examples=12, deadline=None, suppress_health_check=SLOW)
@given(texts=st.lists(MARKDOWN, min_size=1, max_size=4))
def test_records_of_every_tool(name: str, texts: list[str]) -> None:
    records = [_saying(record, texts, number) for number, record in enumerate(RECORDS[name])]
    gone(messages_of(read_lines(name, [json.dumps(record).encode() for record in records])))


def _saying(value: Any, texts: Sequence[str], number: int, key: str = "") -> Any:
    """The record with other words wherever it holds some."""
    if isinstance(value, dict):
        return {inner: _saying(each, texts, number + place, inner) for place, (inner, each) in enumerate(value.items())}
    if isinstance(value, list):
        return [_saying(each, texts, number + place, key) for place, each in enumerate(value)]
    return texts[number % len(texts)] if isinstance(value, str) and key in SAID else value


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=12, deadline=None, suppress_health_check=SLOW)
@given(texts=st.lists(MARKDOWN, min_size=1, max_size=4))
def test_text_of_every_tool(name: str, texts: list[str]) -> None:
    lines = TEXTS[name].split("\n")
    for number, text in enumerate(texts, 1):
        lines.insert(number * len(lines) // (len(texts) + 1), text)
    gone(messages_of(read_lines(name, "\n".join(lines).encode("utf-8", "replace").split(b"\n"))))
