"""Finds the session files that tools are writing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

RECENT_HOURS = 24.0
AGENTS = "subagents"


class FoundSession(NamedTuple):
    """`format` and `cwd` are empty where the file alone tells them."""

    path: Path
    format: str
    cwd: str = ""


def usual_places() -> list[tuple[Path, str]]:
    """The folders in which tools keep their sessions, also where they were moved to, and the formats of these."""
    claude = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    codex = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    gemini = Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini"
    copilot = Path(os.environ.get("COPILOT_HOME") or Path.home() / ".copilot")
    return [
        (claude / "projects", "claude-code"),
        (codex / "sessions", "codex"),
        (gemini / "tmp", "gemini-cli"),
        (copilot / "session-state", "copilot-cli"),
    ]


def recent(hours: float) -> Iterator[FoundSession]:
    """Session files in the usual places that were written to in the last hours; all of them where hours is 0."""
    after = time.time() - hours * 3600 if hours else 0.0
    for folder, format in usual_places():
        for path in folder.rglob("*.jsonl"):
            try:
                if path.stat().st_mtime >= after:
                    yield FoundSession(path, format)
            except OSError:
                continue  # Removed meanwhile, or not ours to read.


def in_places(paths: list[Path]) -> Iterator[FoundSession]:
    """The files named with those of their sub-agents, and the session files in the folders named."""
    for path in paths:
        for found in sorted(path.rglob("*.jsonl")) if path.is_dir() else with_agents(path):
            yield FoundSession(found, "")


def session_of(path: Path) -> Path | None:
    """The file of the session that a sub-agent's file (SESSION/subagents/…) belongs to; None for a session's own."""
    session = path.parent.parent.with_suffix(".jsonl")
    return session if path.parent.name == AGENTS and session.is_file() else None


def with_agents(path: Path) -> list[Path]:
    """The session's file and those of its sub-agents; of a folder, which has none, itself."""
    return [path, *sorted((path.with_suffix("") / AGENTS).glob("*.jsonl"))] if path.suffix else [path]


def of_session(session: str) -> Path | None:
    """The file of a session whose tool did not name it: its name holds the session's id."""
    for folder, _ in usual_places():
        found = next(folder.rglob(f"*{session}.jsonl"), None) if session.replace("-", "").isalnum() else None
        if found is not None:
            return found
    return None
