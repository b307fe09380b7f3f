"""One question to the server over a bare socket, with a deadline: a hook that finds nothing need not load a whole HTTP client."""

from __future__ import annotations

import json
import os
import socket
import time
from typing import Any
from urllib.parse import quote, urlsplit

from continuity.client import credentials

# A dead server is found out within this, whichever way it is dead. One that is far away may be given more.
PATIENCE, DEFAULT_MS = "CONTINUITY_HOOK_MS", 80
ANSWER_BYTES = 1 << 20


class NoAnswer(Exception):
    """The server did not answer in time, or not as expected."""


def ready(cwd: str, limit: int) -> list[dict[str, Any]] | None:
    """The handoffs that are ready in the folder, the newest first; None where only a whole client can ask (HTTPS, a refusal).

    Raises NoAnswer, NotLoggedIn.
    """
    known = credentials.find()
    parts = urlsplit(known.url)
    if parts.scheme != "http" or not parts.hostname:
        return None
    path = f"{parts.path.rstrip('/')}/api/v1/handoffs?status=ready&limit={limit}" + (f"&cwd={quote(cwd, safe='')}" if cwd else "")
    head = f"GET {path} HTTP/1.0\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {known.key}\r\nAccept: application/json\r\n\r\n"
    deadline = time.monotonic() + _patience()
    try:
        # As bytes: looking up a text loads the tables of international names first.
        answer = _ask((parts.hostname.encode("ascii"), parts.port or 80), head.encode("latin-1"), deadline)
    except (OSError, UnicodeError) as error:
        raise NoAnswer(str(error) or type(error).__name__) from error
    first, _, body = answer.partition(b"\r\n\r\n")
    if first.split(b" ")[1:2] != [b"200"] or b"chunked" in first.lower():
        return None
    try:
        items: list[dict[str, Any]] = json.loads(body)["items"]
    except (ValueError, KeyError, TypeError) as error:
        raise NoAnswer("the address is not the server's") from error
    return items


def _patience() -> float:
    """Seconds."""
    given = os.environ.get(PATIENCE, "")
    return (int(given) if given.isdigit() else DEFAULT_MS) / 1000


def _ask(address: Any, sent: bytes, deadline: float) -> bytes:
    """The whole answer; the server closes behind it. Raises OSError, TimeoutError also where it comes too slowly."""
    with socket.create_connection(address, timeout=_left(deadline)) as connection:
        connection.settimeout(_left(deadline))
        connection.sendall(sent)
        answer = b""
        while len(answer) < ANSWER_BYTES:
            connection.settimeout(_left(deadline))
            if not (more := connection.recv(1 << 16)):
                break
            answer += more
        return answer


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left
