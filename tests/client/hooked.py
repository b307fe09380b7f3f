"""Hooks answered by the very program that a tool calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from continuity.client.client import Client
from continuity.client.recording import Recorder
from continuity.client.sending import Sender
from continuity.client.spool import Spool
from tests.client.sessions import CWD

PROGRAM = Path(__file__).parents[2] / "continuity" / "client" / "__main__.py"
EVENTS = ["SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"]


def hook(event: str, path: Path, **fields: Any) -> str:
    """What the hook adds to the context; it always ends well."""
    payload = {"session_id": path.stem, "transcript_path": str(path), "cwd": CWD, "hook_event_name": event, **fields}
    ended = subprocess.run(
        [sys.executable, "-IS", str(PROGRAM), "hook"],
        input=json.dumps(payload),
        text=True,
        capture_output=True,
        env=os.environ,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    if not ended.stdout:
        return ""
    told = json.loads(ended.stdout)["hookSpecificOutput"]
    assert told["hookEventName"] == event
    assert len(told["additionalContext"]) <= 10_000
    return str(told["additionalContext"])


def record_all(path: Path) -> Recorder:
    recording = Recorder(path, Sender(Client(), Spool(), print), print)
    recording.finish()
    return recording
