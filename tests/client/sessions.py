"""Session files as Claude Code writes them, made by the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

SPACE = UUID("5d1c9a52-3f57-4a37-9a6b-0e3f3c1f2a11")
CWD = "/srv/tides"


def uuid(session: str, number: int) -> str:
    return str(uuid5(SPACE, f"{session} {number}"))


def record(session: str, number: int, text: str = "", **fields: Any) -> dict[str, Any]:
    """The record of a turn: odd ones are the person's, even ones the agent's."""
    person = number % 2 == 1
    said = text or (f"Please check harbour {number}." if person else f"Harbour {number - 1} is checked, nothing to report.")
    message = {"role": "user", "content": said} if person else {"role": "assistant", "content": [{"type": "text", "text": said}]}
    return {
        "parentUuid": uuid(session, number - 1) if number > 1 else None,
        "isSidechain": False,
        "cwd": CWD,
        "sessionId": session,
        "gitBranch": "main",
        "type": message["role"],
        "message": message,
        "uuid": uuid(session, number),
        "timestamp": f"2026-05-04T08:{number // 60 % 60:02}:{number % 60:02}.000Z",
        **fields,
    }


def lines(session: str, first: int, last: int, **texts: str) -> bytes:
    """Records `first` to `last`; `n3="…"` gives the third its words."""
    return b"".join(json.dumps(record(session, n, texts.get(f"n{n}", ""))).encode() + b"\n" for n in range(first, last + 1))


def grow(path: Path, data: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(data)
