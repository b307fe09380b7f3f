"""OpenAI's chat completions, in the form that compatible servers share: no mode of output is asked for, the answer is checked anyway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.extraction.answer import BadAnswer
from continuity.extraction.prompt import Prompt
from continuity.extraction.protocols.protocol import Endpoint, ModelReply, Protocol, count


def _headers(key: str) -> Mapping[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


def _body(endpoint: Endpoint, prompt: Prompt) -> Mapping[str, Any]:
    return {
        "model": endpoint.name,
        "max_completion_tokens": endpoint.max_tokens,
        "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
    }


def _read(document: Any) -> ModelReply:
    try:
        text = document["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise BadAnswer("wrong shape") from None
    if not isinstance(text, str):
        raise BadAnswer("no text")
    usage = document.get("usage")
    return ModelReply(text, count(usage, "prompt_tokens"), count(usage, "completion_tokens"))


PROTOCOL = Protocol("/chat/completions", _headers, _body, _read)
