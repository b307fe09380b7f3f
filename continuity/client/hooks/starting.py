"""SessionStart: a new session goes on from the handoff that is ready in its folder; a compacted one gets back what it lost."""

from __future__ import annotations

from typing import Any

from continuity.client import positions, shapes
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.hooks import session
from continuity.client.hooks.answering import LIMIT
from continuity.client.hooks.fitting import fit
from continuity.client.hooks.lost import put_back

# A dead server is found out within this; one that answered once gets the time that resuming takes.
FIRST_ANSWER_SECONDS = 0.08
RESUME_SECONDS = 5.0


def answer(payload: dict[str, Any]) -> str:
    path = session.file_of(payload)
    try:
        if payload.get("source") == "compact":
            return put_back(path)
        own = positions.load(path.absolute()).conversation if path else ""
        return _continuation(str(payload.get("session_id", "")), str(payload.get("cwd", "")), own, _tool(payload))
    finally:
        # Last, so that a resumed conversation has this session's id before the recorder looks for it.
        session.record(path)


def _tool(payload: dict[str, Any]) -> str:
    """Codex names its files so, and may leave them out."""
    name = str(payload.get("transcript_path") or "rollout-").rpartition("/")[2]
    return "codex" if name.startswith("rollout-") else "claude-code"


def _continuation(session_id: str, cwd: str, own: str, tool: str) -> str:
    if not cwd:
        return ""
    client = Client(connect=FIRST_ANSWER_SECONDS, answer=RESUME_SECONDS)
    ready = [
        each for each in client.handoffs(status="ready", cwd=cwd, limit=5, answer=FIRST_ANSWER_SECONDS) if each["conversation_id"] != own
    ]
    if not ready:
        return ""
    try:
        resumed = client.resume(ready[0]["id"], source_tool=tool, external_id=session_id)
    except Refused as refused:
        return _beside(client, ready[0], refused)
    return fit(resumed["directive"], LIMIT, handoff=ready[0]["id"])


def _beside(client: Client, handoff: shapes.Handoff, refused: Refused) -> str:
    """A session that is recorded already can't become the next one of the chain; it is told what was handed over."""
    if refused.code != "conflict":
        return ""  # Another session was faster, or the package went: there is nothing to go on from.
    note = f"`continuity resume {handoff['id']}` takes this handoff over.\n"
    return note + fit(client.directive(handoff["id"]), LIMIT - len(note), handoff=handoff["id"])
