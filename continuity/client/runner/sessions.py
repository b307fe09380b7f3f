"""The session of a command-line tool under a runner: its hooks name its session, who records that knows the conversation, and the file
shows whether the tool goes on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from continuity.client import places
from continuity.client.light.live_sessions import AGENT_SESSION
from continuity.client.recording import positions

TAIL = 512 * 1024  # bytes at the end of a session's file in which calls without a result are looked for
LONGEST_CALL = 30 * 60.0  # seconds after which a call of a tool that has no result is no sign of work any more
# What holds the id of a call, and of its result.
_ID_OF = {"tool_use": "id", "function_call": "call_id", "tool_result": "tool_use_id", "function_call_output": "call_id"}
_CALLS = frozenset(("tool_use", "function_call"))


def conversation_of(folder: Path) -> str:
    """The conversation of the tool's present session; empty where no hook named one, or nothing of it is recorded yet."""
    path = _file(folder)
    return positions.load(path).conversation if path else ""


def is_working(folder: Path, since: float) -> bool:
    """Whether the session's file grew since `since` (seconds of the wall clock), or ends inside a call of a tool that began less than
    `LONGEST_CALL` ago."""
    path = _file(folder)
    if path is None:
        return False
    try:
        written = path.stat().st_mtime
    except OSError:
        return False
    return written >= since or (time.time() - written < LONGEST_CALL and _is_calling(path))


def forget(folder: Path) -> None:
    """Another process begins, with a session of its own or with the same."""
    (folder / AGENT_SESSION).unlink(missing_ok=True)


def _file(folder: Path) -> Path | None:
    path = str(places.read_object(folder / AGENT_SESSION).get("path", ""))
    return Path(path) if path else None


def _is_calling(path: Path) -> bool:
    """Whether a call stands in the last lines whose result does not."""
    open_calls: set[str] = set()
    for kind, id in _calls_and_results(path):
        if kind in _CALLS:
            open_calls.add(id)
        else:
            open_calls.discard(id)
    return bool(open_calls)


def _calls_and_results(path: Path) -> Iterator[tuple[str, str]]:
    """The calls and results, in their order, of a file of JSON lines as Claude Code and Codex write them; what is none of these tells
    nothing."""
    with path.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
        lines = file.read(TAIL).split(b"\n")
    for line in lines:
        if b"tool_" not in line and b"function_call" not in line:
            continue
        with suppress(ValueError, RecursionError):
            yield from _of_record(json.loads(line))


def _of_record(record: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(record, Mapping):
        return
    message = record.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    for part in [record.get("payload"), *(content if isinstance(content, list) else ())]:
        kind = str(part.get("type")) if isinstance(part, Mapping) else ""
        if kind in _ID_OF:
            yield kind, str(part.get(_ID_OF[kind]))
