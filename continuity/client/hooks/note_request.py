"""Asking the agent for a handoff note: once when the window is nearly full and once before a handoff, never twice for the same window.

What was asked for is remembered by an empty file; a window that was emptied begins anew. Nothing waits for an answer.
"""

from __future__ import annotations

import os
from importlib import import_module

from continuity.client.hooks import headless
from continuity.client.light import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EMPTIED = 0.7  # share of the window below which it counts as a new one
WHY = {"window": "since the context window is {share:.0%} full", "handoff": "since a handoff is due"}
TEXT = (
    "Continuity asks once for a handoff note, {why}: what whoever continues must know, in your own words. Call the MCP tool "
    "`write_handoff_note`, or pipe JSON into `continuity note --conversation {conversation}`: "
    '{{"now": ["…"], "next": ["…"]}}, each part a list of short statements; leave out parts that have nothing to tell. '
    "Parts: {parts}. Each statement is checked against the session, and the answer says which did not hold. Then continue your work."
)


def asked(payload: dict[str, Any], path: str, known: dict[str, Any]) -> str:
    """The request for a note, where one is wanted that was not asked for in this window; else empty."""
    decision = known.get("decision", {})
    wanted, share = str(decision.get("note_wanted") or ""), float(decision.get("utilization") or 0.0)
    if share < EMPTIED:
        _reset(path)
        return ""
    if wanted not in WHY or headless.is_headless(payload) or not _first(path, wanted):
        return ""
    parts = import_module("continuity.core.note_parts").PARTS
    told = "; ".join(f"{name} ({meaning})" for name, meaning in parts.items())
    return TEXT.format(why=WHY[wanted].format(share=share), conversation=known.get("conversation", ""), parts=told)


def _first(path: str, wanted: str) -> bool:
    """Whether nobody asked for this before; of two hooks at the same moment one is the first."""
    try:
        os.close(os.open(_sign(path, wanted), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def _reset(path: str) -> None:
    for wanted in WHY:
        if os.path.exists(_sign(path, wanted)):
            os.unlink(_sign(path, wanted))


def _sign(path: str, wanted: str) -> str:
    return f"{files.folder('notes')}/{files.key_of(path)}.{wanted}"
