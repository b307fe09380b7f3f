"""continuity hook: the answer to one hook's JSON, on standard output."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from importlib import import_module

from continuity.client.hooks import tools
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import exclusions, fast_json, files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Claude Code shows a hook no more than 10,000 characters of what it wants to add.
LIMIT = 9_990
TOLD_LIMIT = 600
LOG_BYTES = 1 << 20
# A tool starts the hooks of one event together; a person or a tool that compacts is slower.
ONCE, SAME_SECONDS = frozenset(["SessionStart", "PreCompact"]), 2.0
# What the person is told at a session's start where that failed, by the name of the error, whose class need not be loaded.
UNRECORDED = {
    "NotLoggedIn": "not logged in, so this session is not recorded. `continuity login` mends it.",
    "Unreachable": "the server can't be reached. This session is kept here and sent when it can.",
    "NotInTime": "the server did not answer in time. This session is kept here and sent when it does.",
    "NoAnswer": "the server gives no answer of use ({error}). This session is kept here and sent when it does.",
    "Refusal": "the server refuses: {error} This session is kept here until that is mended; `continuity doctor` says how.",
}

# Each is a module beside this one with `answer(payload) -> HookAnswer`.
EVENTS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PreCompact": "pre_compact",
    "PostToolUse": "post_tool_use",
    "Stop": "stop",
    "SubagentStop": "stop",
    "SessionEnd": "stop",
    # Gemini CLI's names of the same.
    "BeforeAgent": "user_prompt_submit",
    "AfterTool": "post_tool_use",
    "AfterAgent": "stop",
}


def main(tool: str = "") -> int:
    """Reads one hook's JSON from standard input; always 0. Whatever goes wrong stands in the log. `tool` is the one that calls, where it
    is none of those that call `continuity hook` alone (`tools.NAMED`)."""
    event = ""
    try:
        payload = fast_json.parse(sys.stdin.buffer.read())
        event = payload["hook_event_name"]
        payload[tools.NAME] = tool
        if event in EVENTS and not tools.is_foreign(payload) and not _is_excluded(payload) and not _is_answered(payload):
            _say(event, import_module(f"continuity.client.hooks.{EVENTS[event]}").answer(payload), flat=tool in tools.FLAT)
    except Exception as error:  # noqa: BLE001 — a fault of ours must not stop an agent at its work; the log keeps it, `doctor` shows it.
        log(f"{type(error).__name__}: {error}")
        if event == "SessionStart":
            _say(event, HookAnswer(told=UNRECORDED.get(type(error).__name__, "").format(error=error)), flat=tool in tools.FLAT)
    return 0


def _say(event: str, answer: HookAnswer, *, flat: bool) -> None:
    said: dict[str, Any] = {}
    if answer.told:
        said["systemMessage"] = f"Continuity: {answer.told}"[:TOLD_LIMIT]
    if answer.context and flat:
        said["additionalContext"] = answer.context[:LIMIT]
    elif answer.context:
        said["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": answer.context[:LIMIT]}
    if said:
        sys.stdout.write(fast_json.write(said))


def _is_excluded(payload: dict[str, Any]) -> bool:
    """Whether this session is none of ours. One in a pause is only named to the recorder, which reads past what is said."""
    if exclusions.folder_reason(str(payload.get("cwd") or "")):
        return True
    if not exclusions.paused():
        return False
    session = import_module("continuity.client.hooks.session")
    session.record(session.file_of(payload), payload, ended=payload["hook_event_name"] == "SessionEnd")
    return True


def _is_answered(payload: dict[str, Any]) -> bool:
    """Whether another process answered this very event moments ago: settings and a plugin may both hold our hooks, and another tool may run
    them too. Only of what resumes or makes a handoff: the rest is the same when it is done twice."""
    event, session = str(payload["hook_event_name"]), str(payload.get("session_id") or "")
    if event not in ONCE or not session:
        return False
    handle = os.open(f"{files.folder('answered')}/{files.key_of(f'{event} {session}')}", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        known = os.fstat(handle)
        if known.st_size and 0 <= time.time() - known.st_mtime < SAME_SECONDS:
            return True
        os.pwrite(handle, b".", 0)
        return False
    except BlockingIOError:
        return True  # In this very moment.
    finally:
        os.close(handle)


def log(line: str) -> None:
    """Adds a line to the hooks' log, which begins anew when it is long."""
    try:
        path = f"{files.home()}/hooks.log"
        long = os.path.exists(path) and os.path.getsize(path) > LOG_BYTES
        with open(path, "w" if long else "a", encoding="utf-8") as stream:
            stream.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")
    except OSError:
        return  # A full disk: there is nowhere to tell it.
