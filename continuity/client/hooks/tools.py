"""The differences between the tools whose hooks are ours: their names, their session files, and where they take what is added."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Under which `main` keeps the tool's name in a hook's payload: of the word behind `continuity hook`, which the settings of most tools have.
NAME = "continuity_tool"
GEMINI, COPILOT, OPENCODE = "gemini-cli", "copilot-cli", "opencode"
NAMED = frozenset([GEMINI, COPILOT, OPENCODE])
# Tools that take what is added to the agent's context as a field of the answer itself.
FLAT = frozenset([COPILOT])
COPILOT_FILE = "events.jsonl"


def name_of(payload: dict[str, Any]) -> str:
    """The tool's name as transcripts have it. Codex is known by how it names its files, and may leave them out."""
    if named := payload.get(NAME):
        return str(named)
    path = str(payload.get("transcript_path") or "rollout-")
    return "codex" if path.rpartition("/")[2].startswith("rollout-") else "claude-code"


def is_foreign(payload: dict[str, Any]) -> bool:
    """Whether Cursor calls, which runs Claude Code's hooks too: its files are none that can be read, and it would drop a handoff."""
    return "cursor_version" in payload or "workspace_roots" in payload


def unnamed_file(payload: dict[str, Any]) -> str:
    """The session's file where the hook does not name it but the session's id tells it; else empty."""
    session = str(payload.get("session_id") or "")
    if payload.get(NAME) != COPILOT or not session.replace("-", "").isalnum():
        return ""
    return f"{copilot_home()}/session-state/{session}/{COPILOT_FILE}"


def copilot_home() -> str:
    return os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")
