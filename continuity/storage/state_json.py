"""An agent's state as JSON: what it may hold, how it is written. Pure."""

from __future__ import annotations

import json
from typing import Any

PARTS = ("config", "context", "messages")


class BadState(ValueError):
    """This is no state of an agent; the message says why, `field` where."""

    def __init__(self, why: str, field: str = "state") -> None:
        self.field = field
        super().__init__(why)


def checked(state: Any) -> dict[str, Any]:
    """The state, an object of `config` and `context` (objects) and `messages` (a list of objects), each of which may be missing.

    Raises BadState.
    """
    if not isinstance(state, dict):
        raise BadState("A state is an object of config, context and messages")
    for name, value in state.items():
        if name not in PARTS:
            raise BadState(f"A state holds {', '.join(PARTS)}, not {str(name)[:40]!r}")
        if name == "messages":
            if not isinstance(value, list) or not all(isinstance(message, dict) for message in value):
                raise BadState("The messages of a state are a list of objects", "state.messages")
        elif not isinstance(value, dict):
            raise BadState(f"The {name} of a state is an object", f"state.{name}")
    return state


def written(value: Any) -> bytes:
    """Raises BadState where JSON can't hold it."""
    try:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BadState("The state is no JSON") from error


def size_of(value: Any) -> int:
    return len(written(value))
