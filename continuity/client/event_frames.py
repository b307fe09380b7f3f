"""Server-sent events as they come over a connection."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

# Stands for the heartbeat of a stream among the names of its events.
ALIVE = ":"
AT_ONCE = 65_536


def frames(answer: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    """Each event of a stream: its name, and its data; and each sign of life."""
    kind, data = "", ""
    for line in _lines(answer):
        text = line.decode().rstrip("\r")
        if not text:
            if data:
                yield kind, json.loads(data)
            kind, data = "", ""
        elif text.startswith(":"):
            yield ALIVE, None
        elif text.startswith("event: "):
            kind = text[7:]
        elif text.startswith("data: "):
            data = text[6:]


def _lines(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """Each as soon as it is whole. The response is asked for pieces: asked for lines, it would take several times as long."""
    parts: list[bytes] = []
    while piece := answer.read1(AT_ONCE):
        first, *others = piece.split(b"\n")
        parts.append(first)
        if others:
            yield b"".join(parts)
            yield from others[:-1]
            parts = [others[-1]]
