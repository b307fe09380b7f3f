"""Server-sent events as bytes (WHATWG HTML, 9.2). Names, numbers and ids only, never words of a conversation. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from uuid import UUID

HEARTBEAT = b": still here\n\n"


def opening(*, retry_seconds: float) -> bytes:
    """How long a reader waits before it comes again."""
    return f"retry: {retry_seconds * 1000:.0f}\n\n".encode()


def at_position(name: str, position: int) -> bytes:
    """`ready` (from here on) or `reset` (something before was deleted: read again what you show); gives the reader its place."""
    return f"id: {position}\nevent: {name}\ndata: {{}}\n\n".encode()


def event_frame(*, id: UUID, name: str, position: int, about: Iterable[UUID], named: bool) -> bytes:
    """One event. Where it is not `named`, one listener of a browser hears of all of them, whatever they are called."""
    data = json.dumps({"id": str(id), "name": name, "about": [str(each) for each in about]}, separators=(",", ":"))
    label = f"event: {name}\n" if named else ""
    return f"id: {position}\n{label}data: {data}\n\n".encode()


def position_of(header: str) -> int | None:
    """The position that a reader saw last, from `Last-Event-ID`: None where it names nothing, -1 where it is none of ours."""
    if not header.strip():
        return None
    return int(header) if header.isascii() and header.isdigit() and len(header) <= 18 else -1
