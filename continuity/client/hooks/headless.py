"""Detects a session with nobody in front of it: a script's, a git hook's, a pipeline's."""

from __future__ import annotations

import os

from continuity.client.hooks import tools
from continuity.client.light import live_sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TAKE = "CONTINUITY_HEADLESS"
# What Claude Code names the way in by: `claude -p` and its SDKs, and the action that runs it for a pipeline.
_ENTRY = "CLAUDE_CODE_ENTRYPOINT"
_UNATTENDED = ("sdk-", "claude-code-github-action", "remote_trigger")
# Codex writes into the first line of a session by what it was begun.
_CODEX_EXEC = (b'"originator":"codex_exec"', b'"source":"exec"')
_FIRST_BYTES = 4096
# Of tools that tell nothing themselves: the options with which they are given one prompt.
_ONE_PROMPT = {tools.GEMINI: (b"-p", b"--prompt"), tools.COPILOT: (b"-p", b"--prompt"), tools.OPENCODE: (b"run",)}


def is_headless(payload: dict[str, Any]) -> bool:
    """False where CONTINUITY_HEADLESS is `take`: such sessions go on from handoffs as a person's do."""
    if os.environ.get(TAKE) == "take":
        return False
    tool = tools.name_of(payload)
    if (options := _ONE_PROMPT.get(tool)) is not None:
        words = live_sessions.tool_words()
        return any(word in options for word in (words[1:2] if tool == tools.OPENCODE else words[1:]))
    path = str(payload.get("transcript_path") or "")
    if path.rpartition("/")[2].startswith("rollout-"):
        return _is_exec(path)
    return os.environ.get(_ENTRY, "").startswith(_UNATTENDED)


def _is_exec(path: str) -> bool:
    try:
        with open(os.path.expanduser(path), "rb") as stream:
            first = stream.read(_FIRST_BYTES)
    except OSError:
        return False
    return any(sign in first for sign in _CODEX_EXEC)
