"""Messages as the API takes them."""

from __future__ import annotations

import json
from typing import Any

from continuity.transcripts.base.model import Message, Part
from continuity.transcripts.base.sanitise import clip, clip_json

# The server takes 8 MiB a message and 32 MiB a batch; what JSON adds must fit too.
MESSAGE_BYTES = 7 * 2**20
IDENTIFIER, PLACE, MODEL = 200, 4096, 120


def as_request(message: Message) -> dict[str, Any]:
    """The message as JSON without its empty fields, within the server's limits: of too much text the middle is left out."""
    told = _request(message, [part.as_json() for part in message.parts])
    size = len(json.dumps(told))
    if size <= MESSAGE_BYTES:
        return told
    # Escapes take up to six bytes a character; each part gets its share of what is allowed.
    room = MESSAGE_BYTES // (6 * max(1, len(message.parts)))
    return _request(message, [_clipped(part, room) for part in message.parts])


def _request(message: Message, parts: list[dict[str, Any]]) -> dict[str, Any]:
    usage = message.usage
    told = {
        "role": message.role.value,
        "parts": [_bounded(part) for part in parts],
        "external_id": message.external_id[:IDENTIFIER],
        "at": message.at.isoformat() if message.at and message.at.tzinfo else None,
        "model": message.model[:MODEL],
        "usage_id": message.usage_id[:IDENTIFIER],
        "agent": message.agent[:IDENTIFIER],
        "cwd": message.cwd[:PLACE],
        "branch": message.branch[:PLACE],
        "usage": {"input": usage.input, "output": usage.output, "cache_read": usage.cache_read, "cache_write": usage.cache_write}
        if usage
        else None,
    }
    return {name: value for name, value in told.items() if value not in ("", None)}


def _bounded(part: dict[str, Any]) -> dict[str, Any]:
    return part | {name: part[name][:IDENTIFIER] for name in ("name", "call_id") if name in part}


def _clipped(part: Part, room: int) -> dict[str, Any]:
    text, size = clip(part.text, room)
    told = part.as_json()
    given, _ = clip_json(told.get("input", {}), room)
    data, _ = clip_json(told.get("data", {}), room)
    return told | {"text": text, "input": given, "data": data, "clipped": part.clipped or size}
