"""Level 0: every message as it was, in a form that people and agents can read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from continuity.transcripts.base.model import Message, Part, PartKind, Voice

_NAMES = {Voice.PERSON: "User", Voice.AGENT: "Agent", Voice.TOOL: "Tool", Voice.HARNESS: "Added by the tool", Voice.SUMMARY: "Summary"}


def full(messages: Sequence[tuple[int, Message]]) -> str:
    """All parts in order, each under the number of its message and whose it is; nothing is shortened."""
    return "\n\n".join(f"[m{seq}] {words}" for seq, message in messages for words in _parts(message))


def _parts(message: Message) -> Iterator[str]:
    for part in message.parts:
        words = _words(part)
        if words:
            yield words


def _words(part: Part) -> str:
    if part.kind is PartKind.TOOL_CALL:
        return f"Call {part.name}: {json.dumps(dict(part.input), ensure_ascii=False, default=str)}"
    if part.kind is PartKind.TOOL_RESULT:
        code = f" (exit {part.exit_code})" if part.exit_code is not None else " (failed)" if part.failed else ""
        return f"Result{code}: {part.text}"
    if part.kind is PartKind.BOUNDARY:
        return "The context was compacted here."
    if part.kind is PartKind.IMAGE:
        return f"Image: {part.text}" if part.text else "An image."
    if not part.text.strip():
        return ""
    return f"{'Reasoning' if part.kind is PartKind.REASONING else _NAMES[part.voice]}: {part.text}"
