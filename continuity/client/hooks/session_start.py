"""SessionStart: a new session goes on from the handoff that is ready in its folder; a compacted one gets back what it lost."""

from __future__ import annotations

from importlib import import_module

from continuity.client.hooks import headless, session
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> HookAnswer:
    path = session.file_of(payload)
    late = False
    try:
        if payload.get("source") == "compact":
            lost = session.lost_words(path)
            return HookAnswer(lost, session.PUT_BACK if lost else "")
        if headless.is_headless(payload):
            return HookAnswer()  # The handoff waits for the person's next session.
        found: HookAnswer = import_module("continuity.client.hooks.resuming").continuation(
            payload, session.known_of(path).get("conversation", "")
        )
        return found
    except requests.NoAnswer:
        late = bool(path)
        if late:
            session.put_off(path)
        raise
    finally:
        # Last, so that a resumed conversation has this session's id before the recorder looks for it.
        if not late:
            session.record(path, payload)
