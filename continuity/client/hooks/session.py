"""Which session file a hook is about, and that somebody records it."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from continuity.client import credentials, places
from continuity.client.claims import Claim
from continuity.client.finding import of_session

PROGRAM = Path(__file__).resolve().parent.parent / "__main__.py"
QUIET_SECONDS = 600


def file_of(payload: dict[str, Any]) -> Path | None:
    """The session's file, which Codex may leave out."""
    named = payload.get("transcript_path")
    return Path(named).expanduser() if named else of_session(str(payload.get("session_id", "")))


def kept_of(path: Path) -> Path:
    """Where the lines of the package are kept that was made before the session's compaction."""
    return places.folder("compactions") / f"{places.key_of(str(path.absolute()))}.json"


def lost_words(path: Path | None) -> str:
    """What a compaction lost, once; empty where there was none. Only where there was is loaded what compares."""
    return str(import_module("continuity.client.hooks.lost").put_back(path)) if path is not None and kept_of(path).exists() else ""


def record(path: Path | None) -> None:
    """Starts a recorder of the file in the background, unless one is at work. It ends when nothing came for ten minutes.

    Costs the hook a look at a lock; reading, sending and waiting for the server are the recorder's. Raises NotLoggedIn.
    """
    if path is None:
        return
    claim = Claim(path.absolute())
    claim.release()
    if not claim.ours:
        return
    credentials.find()
    command = [sys.executable, "-IS", str(PROGRAM), "watch", "--alone", "--until-quiet", str(QUIET_SECONDS), str(path)]
    log = str(places.home() / "recorder.log")
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    # Not `subprocess`, which takes as long to load as the rest of the hook. Nobody waits for it: this process ends at once.
    os.posix_spawn(sys.executable, command, os.environ, file_actions=files, setsid=True)
