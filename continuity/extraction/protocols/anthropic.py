"""Anthropic's messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.extraction.answer import BadAnswer
from continuity.extraction.prompt import Prompt
from continuity.extraction.protocols.protocol import Endpoint, ModelReply, Protocol, count


def _headers(key: str) -> Mapping[str, str]:
    version = {"anthropic-version": "2023-06-01"}
    return {**version, "x-api-key": key} if key else version


def _body(endpoint: Endpoint, prompt: Prompt) -> Mapping[str, Any]:
    return {
        "model": endpoint.name,
        "max_tokens": endpoint.max_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user}],
    }


def _read(document: Any) -> ModelReply:
    blocks = document.get("content") if isinstance(document, dict) else None
    if not isinstance(blocks, list):
        raise BadAnswer("wrong shape")
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise BadAnswer("no text")
    usage = document.get("usage")
    return ModelReply("".join(map(str, texts)), count(usage, "input_tokens"), count(usage, "output_tokens"))


PROTOCOL = Protocol("/v1/messages", _headers, _body, _read)
