"""Messages for tests, in one line each."""

from __future__ import annotations

from itertools import count
from typing import Any

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Usage, Voice

_numbers = count(1)


def said(text: str, *, external_id: str = "", **fields: Any) -> Message:
    """A person's message."""
    return _message(Role.USER, Part(PartKind.TEXT, Voice.PERSON, text), external_id, fields)


def answered(text: str, *, external_id: str = "", usage: Usage | None = None, **fields: Any) -> Message:
    """The agent's words."""
    return _message(Role.ASSISTANT, Part(PartKind.TEXT, Voice.AGENT, text), external_id, {"usage": usage, **fields})


def called(name: str, arguments: dict[str, Any], *, call_id: str, external_id: str = "", **fields: Any) -> Message:
    """The agent calls a tool."""
    part = Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=arguments)
    return _message(Role.ASSISTANT, part, external_id, fields)


def resulted(
    text: str, *, call_id: str, failed: bool = False, exit_code: int | None = None, external_id: str = "", **fields: Any
) -> Message:
    """What the tool gave back."""
    part = Part(PartKind.TOOL_RESULT, Voice.TOOL, text, call_id=call_id, failed=failed, exit_code=exit_code)
    return _message(Role.TOOL, part, external_id, fields)


def compacted(summary: str = "") -> Message:
    parts = [Part(PartKind.BOUNDARY, Voice.HARNESS)]
    if summary:
        parts.append(Part(PartKind.TEXT, Voice.SUMMARY, summary))
    return Message(Role.SYSTEM, tuple(parts), f"w{next(_numbers)}")


def _message(role: Role, part: Part, external_id: str, fields: dict[str, Any]) -> Message:
    return Message(role, (part,), external_id or f"w{next(_numbers)}", **fields)
