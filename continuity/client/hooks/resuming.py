"""Going on from a handoff that is ready in the folder in which a session starts."""

from __future__ import annotations

from typing import Any

from continuity.client import shapes
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.hooks.answering import LIMIT
from continuity.client.hooks.fitting import fit

FIRST_ANSWER_SECONDS = 0.5
RESUME_SECONDS = 5.0


def continuation(payload: dict[str, Any], own: str) -> str:
    """The directive of the newest handoff of the folder that is not of the conversation `own`; empty where there is none."""
    session_id, cwd = str(payload.get("session_id", "")), str(payload.get("cwd", ""))
    client = Client(connect=FIRST_ANSWER_SECONDS, answer=RESUME_SECONDS)
    found = client.handoffs(status="ready", cwd=cwd, limit=5, answer=FIRST_ANSWER_SECONDS)
    ready = [each for each in found if each["conversation_id"] != own]
    if not ready:
        return ""
    try:
        resumed = client.resume(ready[0]["id"], source_tool=_tool(payload), external_id=session_id)
    except Refused as refused:
        return _beside(client, ready[0], refused)
    return fit(resumed["directive"], LIMIT, handoff=ready[0]["id"])


def _tool(payload: dict[str, Any]) -> str:
    """Codex names its files so, and may leave them out."""
    name = str(payload.get("transcript_path") or "rollout-").rpartition("/")[2]
    return "codex" if name.startswith("rollout-") else "claude-code"


def _beside(client: Client, handoff: shapes.Handoff, refused: Refused) -> str:
    """A session that is recorded already can't become the next one of the chain; it is told what was handed over."""
    if refused.code != "conflict":
        return ""  # Another session was faster, or the package went: there is nothing to go on from.
    note = f"`continuity resume {handoff['id']}` takes this handoff over.\n"
    return note + fit(client.directive(handoff["id"]), LIMIT - len(note), handoff=handoff["id"])
