"""Where a hook arrives. Most need nothing: somebody records the session, and nothing waits to be said. That must cost least.

So this knows only what the interpreter starts with and a little more; `pathlib` and `typing` alone would double the time.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
from importlib import import_module

RECORDING = ("PostToolUse", "Stop", "SubagentStop", "SessionEnd")


def main() -> int:
    """Reads one hook's JSON from standard input; always 0."""
    sent = sys.stdin.buffer.read()
    if not nothing_to_do(sent):
        import_module("continuity.client.hooks.answering").answer(sent)
    return 0


def nothing_to_do(sent: bytes) -> bool:
    """Whether the hook only sees that the session is recorded, and it is. Where in doubt it is not: `answering` looks closer."""
    try:
        payload = json.loads(sent)
        event, path = payload["hook_event_name"], os.fsencode(os.path.abspath(payload["transcript_path"]))  # noqa: PTH100 — see above
    except (ValueError, TypeError, KeyError):
        return False
    home = os.environ.get("CONTINUITY_HOME") or os.path.expanduser("~/.continuity")  # noqa: PTH111
    key = hashlib.sha256(path).hexdigest()[:24]  # as places.key_of has it
    if event not in RECORDING or os.path.exists(f"{home}/compactions/{key}.json"):  # noqa: PTH110
        return False
    return _is_claimed(f"{home}/claims/{key}")


def _is_claimed(claim: str) -> bool:
    try:
        handle = os.open(claim, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
