"""continuity hook: the answer to one hook's JSON, on standard output."""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any

from continuity.client import places

# Claude Code shows a hook no more than 10,000 characters of what it wants to add.
LIMIT = 9_900
LOG_BYTES = 1 << 20

# Each is a module beside this one with `answer(payload) -> text to add to the context`.
EVENTS = {
    "SessionStart": "starting",
    "UserPromptSubmit": "prompting",
    "PreCompact": "compacting",
    "PostToolUse": "working",
    "Stop": "stopping",
    "SubagentStop": "stopping",
    "SessionEnd": "stopping",
}


def answer(sent: bytes) -> None:
    """Writes what the hook adds to the session's context, if anything; whatever goes wrong stands in the log."""
    try:
        payload = json.loads(sent)
        event = payload["hook_event_name"]
        if event in EVENTS:
            text = import_module(f"continuity.client.hooks.{EVENTS[event]}").answer(payload)
            if text:
                sys.stdout.write(json.dumps(_told(event, text)))
    except Exception as error:  # noqa: BLE001 — a fault of ours must not stop an agent at its work; the log keeps it, `doctor` shows it.
        log(f"{type(error).__name__}: {error}")


def _told(event: str, text: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text[:LIMIT]}}


def log(line: str) -> None:
    """Adds a line to the hooks' log, which begins anew when it is long."""
    try:
        path = places.home() / "hooks.log"
        long = path.exists() and path.stat().st_size > LOG_BYTES
        with path.open("w" if long else "a", encoding="utf-8") as stream:
            stream.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")
    except OSError:
        return  # A full disk: there is nowhere to tell it.
