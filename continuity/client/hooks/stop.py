"""Stop, SubagentStop, SessionEnd: what was said is recorded, also the last of it."""

from __future__ import annotations

from continuity.client.hooks import session
from continuity.client.hooks.answers import HookAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> HookAnswer:
    session.record(session.file_of(payload), payload, ended=payload.get("hook_event_name") == "SessionEnd")
    return HookAnswer()
