"""Making an agent's state small enough (FR-009a): the oldest turns go first, then fields that say they may. Pure.

Every size is one of JSON in UTF-8, and every part is measured once: the cost grows with the state, not with its square.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continuity.storage.state_json import size_of, written

# A field of the context that may go says so itself: {"trimmable": true, ...}.
MARK = "trimmable"


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The state and its JSON; how many turns were dropped for the limit, and which fields (`context.cache`)."""

    state: dict[str, Any]
    written: bytes
    turns: int = 0
    fields: tuple[str, ...] = ()


def turns_of(messages: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The messages by turns: each begins with the user's message, or with those that stand before the first one.

    Where nobody is a user each message is a turn of its own.
    """
    if not any(message.get("role") == "user" for message in messages):
        return [[message] for message in messages]
    turns: list[list[Mapping[str, Any]]] = []
    for message in messages:
        after = turns and turns[-1][-1].get("role") == "user"
        if not turns or (message.get("role") == "user" and not after):
            turns.append([])
        turns[-1].append(message)
    return turns


def with_latest(state: Mapping[str, Any], history: int) -> dict[str, Any]:
    """The state with the latest `history` turns of its messages."""
    if "messages" not in state:
        return dict(state)
    turns = turns_of(state["messages"])
    kept = turns[-history:] if history else []
    return {**state, "messages": [message for turn in kept for message in turn]}


def trim(state: Mapping[str, Any], limit: int) -> Trimmed:
    """The state within `limit` bytes, or as near to that as dropping turns and trimmable fields comes."""
    text = written(state)
    if len(text) <= limit:
        return Trimmed(dict(state), text)
    size = len(text)
    turns = turns_of(state.get("messages", []))
    dropped = 0
    while size > limit and dropped < len(turns):
        size -= sum(size_of(message) + 1 for message in turns[dropped])
        dropped += 1
    messages = [message for turn in turns[dropped:] for message in turn]
    smaller: dict[str, Any] = {**state, "messages": messages} if dropped else dict(state)
    gone: set[tuple[str, ...]] = set()
    # The largest first, so that as few as possible go.
    for path, length in sorted(_trimmable(state.get("context", {})), key=lambda each: (-each[1], each[0])):
        if size <= limit:
            break
        size -= length
        gone.add(path)
    if gone:
        smaller["context"] = _without(state["context"], gone, ())
    return Trimmed(smaller, written(smaller), dropped, tuple(sorted(".".join(("context", *path)) for path in gone)))


def _trimmable(context: Mapping[str, Any]) -> list[tuple[tuple[str, ...], int]]:
    """The outermost marked fields, and how many bytes each gives back."""
    found: list[tuple[tuple[str, ...], int]] = []
    left: list[tuple[tuple[str, ...], Mapping[str, Any]]] = [((), context)]
    while left:
        path, fields = left.pop()
        for name, value in fields.items():
            if isinstance(value, Mapping) and value.get(MARK) is True:
                found.append(((*path, name), size_of(name) + 1 + size_of(value) + 1))
            elif isinstance(value, Mapping):
                left.append(((*path, name), value))
    return found


def _without(fields: Mapping[str, Any], gone: set[tuple[str, ...]], path: tuple[str, ...]) -> dict[str, Any]:
    return {
        name: _without(value, gone, (*path, name)) if isinstance(value, Mapping) else value
        for name, value in fields.items()
        if (*path, name) not in gone
    }
