"""Stop, SubagentStop, SessionEnd: what was said is recorded, also the last of it."""

from __future__ import annotations

from continuity.client.hooks import session
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import packs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> HookAnswer:
    path, ended = session.file_of(payload), payload.get("hook_event_name") == "SessionEnd"
    session.record(path, payload, ended=ended)
    if ended and path:
        packs.leave(path)
    return HookAnswer()
