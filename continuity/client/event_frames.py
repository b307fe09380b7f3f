"""Server-sent events as they come over a connection."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

# Stands for the heartbeat of a stream among the names of its events.
ALIVE = ":"


def frames(answer: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    """Each event of a stream: its name, and its data; and each sign of life."""
    kind, data = "", ""
    while line := answer.readline():
        text = line.decode().rstrip("\r\n")
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
