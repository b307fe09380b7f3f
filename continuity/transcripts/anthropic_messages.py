"""Anthropic's message form: a list, an object with `messages`, or one message a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts import roo_calls
from continuity.transcripts.base.content_blocks import read_content, read_result, read_usage
from continuity.transcripts.base.fields import identifier, label, listing, mapping
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.identity import ToolNames
from continuity.transcripts.base.model import Report, Role, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.chat import ChatSession, is_message, role_of

NAME = "anthropic-messages"

_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use", "mcp_tool_use"})


class AnthropicParser(Parser):
    def __init__(self, report: Report, part_limit: int) -> None:
        self._limit = part_limit
        self._session = ChatSession(report)
        self._tools = ToolNames()

    def field(self, name: str, value: Any) -> Iterator[Event]:
        self._session.field(name, value)
        if name == "system" and isinstance(value, str | list):
            parts = Parts(self._limit, self._tools)
            read_content(value, parts, lambda text: parts.text(text, Voice.HARNESS), lambda block: None)
            if len(parts):
                yield self._session.message(0, {"content": value}, Role.SYSTEM, parts)

    def record(self, line: int, record: Any) -> Iterator[Event]:
        role = role_of(record)
        parts = Parts(self._limit, self._tools)
        self._read(record, role, parts)
        usage = read_usage(record.get("usage")) if role is Role.ASSISTANT else None
        model = label(record.get("model")) if role is Role.ASSISTANT else ""
        role = parts.user_role() if role is Role.USER else role
        message = self._session.message(line, record, role, parts, model=model, usage=usage, usage_id=identifier(record.get("id")))
        if message.parts:
            yield message

    def _read(self, record: Mapping[str, Any], role: Role, parts: Parts) -> None:
        if role is Role.USER:
            speak = roo_calls.RooText(parts).speak
        elif role is Role.ASSISTANT:

            def speak(text: str) -> None:
                roo_calls.read_text(text, parts)
        else:

            def speak(text: str) -> None:
                parts.text(text, Voice.HARNESS)

        read_content(record.get("content"), parts, speak, lambda block: read_result(block, parts))


def sniff(sample: Sample) -> int:
    """Messages with Anthropic's blocks; also lists of texts between user and assistant only, which are likelier Anthropic's."""
    messages = [record for record in sample.records if is_message(record)]
    score = share(len(messages), len(sample.records))
    if any(_has_blocks(message) for message in messages):
        return score
    if any(message["role"] not in ("user", "assistant") or "tool_calls" in message for message in messages):
        return 0
    listed = any(message["role"] == "assistant" and listing(message.get("content")) for message in messages)
    named = "system" in sample.fields or label(sample.fields.get("model")).startswith("claude")
    return score * 4 // 5 if listed or named else 0


def _has_blocks(message: Mapping[str, Any]) -> bool:
    kinds = [mapping(block).get("type") for block in listing(message.get("content"))]
    return any(isinstance(kind, str) and kind in _BLOCKS for kind in kinds)


FORMAT = Format(NAME, sniff, AnthropicParser)
