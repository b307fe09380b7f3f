"""PostToolUse: recorded; after a compaction in the middle of a turn, the first chance to put back what was lost."""

from __future__ import annotations

from continuity.client.hooks import session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> str:
    path = session.file_of(payload)
    session.record(path)
    return session.lost_words(path)
