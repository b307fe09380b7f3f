"""SessionStart: a new session goes on from the handoff that is ready in its folder; a compacted one gets back what it lost."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from continuity.client import positions
from continuity.client.hooks import probing, session

LIMIT = 5


def answer(payload: dict[str, Any]) -> str:
    path = session.file_of(payload)
    try:
        if payload.get("source") == "compact":
            return session.lost_words(path)
        cwd = str(payload.get("cwd", ""))
        ready = probing.ready(cwd, LIMIT) if cwd else []
        own = positions.load(path.absolute()).conversation if path else ""
        if ready is not None and all(each["conversation_id"] == own for each in ready):
            return ""
        # What it takes to resume is loaded only where there is something to.
        return str(import_module("continuity.client.hooks.resuming").continuation(payload, own))
    finally:
        # Last, so that a resumed conversation has this session's id before the recorder looks for it.
        session.record(path)
