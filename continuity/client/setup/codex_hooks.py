"""Whether Codex trusts our hooks: it runs only those that the user trusted, in that form."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import tomllib
from pathlib import Path
from typing import Any, Literal

Trust = Literal["trusted", "untrusted", "unknown"]
ANSWER_SECONDS = 8.0


def trust() -> Trust:
    """Asks Codex itself; without it, what its settings keep, which tells of hooks that were never trusted but not of changed ones."""
    asked = _asked()
    return asked if asked != "unknown" else _kept()


def _asked() -> Trust:
    codex = shutil.which("codex")
    if codex is None:
        return "unknown"
    calls = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "continuity", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(Path.cwd())]}},
    ]
    try:
        with subprocess.Popen([codex, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                answer = _exchange(process, "".join(json.dumps(call) + "\n" for call in calls))
            finally:
                process.kill()
    except OSError:
        return "unknown"
    groups = answer.get("result", {}).get("data", []) if isinstance(answer.get("result"), dict) else []
    ours = [hook for group in groups for hook in group.get("hooks", []) if str(hook.get("command", "")).endswith(" hook")]
    ours = [hook for hook in ours if "continuity" in str(hook["command"])]
    if not ours:
        return "unknown"
    runs = all(hook.get("trustStatus") in ("trusted", "managed") and hook.get("enabled", True) for hook in ours)
    return "trusted" if runs else "untrusted"


def _exchange(process: subprocess.Popen[bytes], sent: str) -> dict[str, Any]:
    """The answer to the second call; empty where none came in time or Codex has no such call."""
    if process.stdin is None or process.stdout is None:
        return {}  # Never so: both were asked for.
    timer = threading.Timer(ANSWER_SECONDS, process.kill)
    timer.start()
    try:
        process.stdin.write(sent.encode())
        process.stdin.flush()
        for line in process.stdout:
            try:
                told = json.loads(line)
            except ValueError:
                return {}
            if isinstance(told, dict) and told.get("id") == 2:
                return told
    finally:
        timer.cancel()
    return {}


def _kept() -> Trust:
    folder = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    try:
        settings = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "untrusted"
    hooks = settings.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    ours = str(folder / "hooks.json")
    known = [about for name, about in state.items() if str(name).startswith(f"{ours}:")] if isinstance(state, dict) else []
    return "unknown" if any(isinstance(about, dict) and about.get("trusted_hash") for about in known) else "untrusted"
