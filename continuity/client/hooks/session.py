"""The session file of a hook, what is known of it, and starting its recorder."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from continuity.client.hooks import tools
from continuity.client.light import files, live_sessions
from continuity.client.recording.claims import Claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PUT_BACK = "put back what the summary of this session leaves out."
PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "__main__.py")


def file_of(payload: dict[str, Any]) -> str:
    """The absolute path of the session's file, which Codex may leave out; empty where there is none."""
    if named := payload.get("transcript_path"):
        return files.absolute(str(named))
    if known := tools.unnamed_file(payload):
        return files.absolute(known)
    found = import_module("continuity.client.recording.finding").of_session(str(payload.get("session_id", "")))
    return str(found or "")


def known_of(path: str) -> dict[str, Any]:
    """The recorder's record of the session (`positions.Known`); empty where it did not begin."""
    return files.read_object(f"{files.folder('files')}/{files.key_of(path)}.json") if path else {}


def package_lines_path(path: str) -> str:
    """Where the lines of the package are kept that was made before the session's compaction."""
    return f"{files.folder('compactions')}/{files.key_of(path)}.json"


def put_off(path: str) -> None:
    """The session began while the server did not answer: its first prompt asks again what SessionStart asked, and starts the recorder."""
    with open(_sign(path), "wb"):
        pass


def was_put_off(path: str) -> bool:
    """Whether that is so; only once."""
    if not os.path.exists(_sign(path)):
        return False
    os.unlink(_sign(path))
    return True


def lost_words(path: str, *, without: str = "") -> str:
    """Return the lines that a compaction lost, once, but for lines of the kind `without`; empty where there was none.

    Only where there was is loaded what compares.
    """
    if not path or not os.path.exists(package_lines_path(path)):
        return ""
    return str(import_module("continuity.client.hooks.compaction_loss").put_back(path, without))


def _sign(path: str) -> str:
    return f"{files.folder('unasked')}/{files.key_of(path)}"


def record(path: str, payload: dict[str, Any], *, ended: bool = False) -> None:
    """Names the session to the recorder, and starts one in the background unless it is at work.

    Costs the hook two looks; reading, sending and waiting for the server are the recorder's. Raises NotLoggedIn, OSError.
    """
    if not path:
        return
    place = live_sessions.folder()
    # In this order: a recorder that is about to leave looks once more for sessions when it has given up its claim.
    live_sessions.name(place, path, tool=str(payload.get(tools.NAME) or ""), cwd=str(payload.get("cwd") or ""), ended=ended)
    claim = live_sessions.claim(place)
    try:
        if claim.ours:
            _start_recorder(claim)
    finally:
        claim.release()


def _start_recorder(claim: Claim) -> None:
    """Starts the recorder with our claim from its first moment, so that the next hook starts no other one."""
    command = [sys.executable, "-IS", PROGRAM, "watch", "--recorder", str(claim.hand_over())]
    opened = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, f"{files.home()}/recorder.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    # Not `subprocess`, which takes as long to load as the rest of the hook. Nobody waits for it: this process ends at once.
    os.posix_spawn(sys.executable, command, os.environ, file_actions=opened, setsid=True)
