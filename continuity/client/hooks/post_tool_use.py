"""PostToolUse: recorded; in the middle of a long turn, the first chance to put back what a compaction lost, and to ask for a note."""

from __future__ import annotations

from continuity.client.hooks import note_request, session
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import packs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> HookAnswer:
    path = session.file_of(payload)
    session.record(path, payload)
    lost = session.lost_words(path)
    lines = [lost, note_request.asked(payload, path, session.known_of(path)) if path else ""]
    return HookAnswer(packs.added(path, "\n".join(line for line in lines if line)), session.PUT_BACK if lost else "")
