"""Cursor, which also runs the hooks that Claude Code's settings hold: its events are told apart, and change nothing.

The events are those that Cursor's documentation names; Cursor itself was not tried.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.light import live_sessions
from tests.client.hooked import PROGRAM, hook, occupy, record_all

CURSORS = ["sessionStart", "beforeSubmitPrompt", "preCompact", "postToolUse", "afterAgentResponse", "stop", "subagentStop", "sessionEnd"]
CLAUDES = ["SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"]


@pytest.mark.parametrize("named", [CURSORS, CLAUDES], ids=["by its own names", "by Claude Code's names"])
@pytest.mark.parametrize("older", [False, True])
def test_it_works(named: list[str], older: bool, client: Client, tide_session: Path) -> None:
    claim = occupy()
    made = client.prepare(record_all(tide_session).conversation)
    here = str(Path.cwd())
    about = {"conversation_id": "c1", "generation_id": "g1", "session_id": "c1", "workspace_roots": [here], "cwd": here, "prompt": "Go on"}
    if not older:
        about |= {"cursor_version": "3.15.6", "model": "auto", "transcript_path": f"{here}/agent-transcripts/c1/c1.jsonl"}
    for event in named:
        sent = json.dumps({**about, "hook_event_name": event})
        done = subprocess.run(
            [sys.executable, "-IS", str(PROGRAM), "hook"], input=sent, text=True, capture_output=True, env=os.environ, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert client.handoff(made["id"])["status"] == "ready", "no session of Cursor's took it, which would not be shown it"
    assert [each for each in live_sessions.everything() if "c1" in each["path"]] == []
    assert "never" in hook("SessionStart", tide_session.with_name("s2.jsonl"), source="startup", cwd=here).lower(), "Claude Code takes it"
    claim.release()
