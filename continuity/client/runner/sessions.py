"""What a command-line tool under a runner works on: its hooks name its session, and who records that knows the conversation."""

from __future__ import annotations

from pathlib import Path

from continuity.client import places
from continuity.client.light.live_sessions import AGENT_SESSION
from continuity.client.recording import positions


def conversation_of(folder: Path) -> str:
    """The conversation of the tool's present session; empty where no hook named one, or nothing of it is recorded yet."""
    path = str(places.read_object(folder / AGENT_SESSION).get("path", ""))
    return positions.load(Path(path)).conversation if path else ""


def forget(folder: Path) -> None:
    """Another process begins, with a session of its own or with the same."""
    (folder / AGENT_SESSION).unlink(missing_ok=True)
