"""Hooks answered by the very program that a tool calls."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from continuity.client import credentials
from continuity.client.client import Client
from continuity.client.light import live_sessions
from continuity.client.recording.claims import Claim
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool
from tests.client.sessions import CWD
from tests.platform.running import eventually

PROGRAM = Path(__file__).parents[2] / "continuity" / "client" / "__main__.py"
EVENTS = ["SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"]


def hook(event: str, path: Path, **fields: Any) -> str:
    """What the hook adds to the context; it always ends well."""
    return answered(event, path, **fields)[0]


def person_told(event: str, path: Path, **fields: Any) -> str:
    """What the hook tells the person in front of the tool."""
    return answered(event, path, **fields)[1]


def answered(event: str, path: Path, **fields: Any) -> tuple[str, str]:
    """Both."""
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
        return "", ""
    said = json.loads(ended.stdout)
    assert set(said) <= {"systemMessage", "hookSpecificOutput"}
    added = said.get("hookSpecificOutput", {"hookEventName": event, "additionalContext": ""})
    assert added["hookEventName"] == event
    assert len(added["additionalContext"]) <= 10_000
    return str(added["additionalContext"]), str(said.get("systemMessage", ""))


def occupy(url: str = "") -> Claim:
    """Be the recorder of what goes to the server, so that no hook starts one that outlives the test; until released."""
    known = credentials.find()
    return live_sessions.claim(live_sessions.folder_of(credentials.Credentials(url or known.url, known.key)))


def recorders(home: Path | None = None) -> list[int]:
    """The recorders of this user's home, or of another, that are at work (Linux)."""
    named = f"CONTINUITY_HOME={os.environ['CONTINUITY_HOME']}" if home is None else f"HOME={home.parent}"
    sign = named.encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            called, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
            if b"--recorder" in called.split(b"\0") and sign in environment.split(b"\0"):
                found.append(int(process.name))
    return found


def end_recorders(number: int = signal.SIGTERM, *, home: Path | None = None) -> None:
    for process in recorders(home):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
    assert eventually(lambda: not recorders(home))


def record_all(path: Path) -> SessionRecorder:
    recording = SessionRecorder(path, Sender(Client(), Spool(), print), print)
    recording.finish()
    return recording
