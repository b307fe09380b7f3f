"""Which session file a hook is about, and that somebody records it."""

from __future__ import annotations

import subprocess
import sys
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
    with (places.home() / "recorder.log").open("w") as output:
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, close_fds=True)
