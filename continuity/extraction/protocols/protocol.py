"""The interface of a model endpoint: an address to post to, headers with the key, a body, and an answer to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.extraction.prompt import Prompt


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers. `seconds` bounds one call, `max_tokens` its answer. The key never shows in a repr."""

    url: str
    kind: str
    name: str
    key: str = field(repr=False)
    seconds: float
    max_tokens: int


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The words of an answer, and the tokens that it cost as the endpoint counts them (0 where it does not say)."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Protocol:
    """`path` is appended to the endpoint's URL; `read` raises BadAnswer on a document of another shape."""

    path: str
    headers: Callable[[str], Mapping[str, str]]
    body: Callable[[Endpoint, Prompt], Mapping[str, Any]]
    read: Callable[[Any], ModelReply]


def count(usage: Any, name: str) -> int:
    """A count of tokens from an answer's usage, 0 where it is missing or cannot be one."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else 0
