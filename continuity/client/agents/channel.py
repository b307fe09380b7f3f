"""Between a runner and its process: lines of JSON over a pair of sockets, of which the process inherits one end."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

DESCRIPTOR = "CONTINUITY_AGENT_FD"
INSTANCE = "CONTINUITY_AGENT_INSTANCE"
CONVERSATION = "CONTINUITY_AGENT_CONVERSATION"
# How often the server wants to hear of the agent, in milliseconds: for when its runner is gone.
INTERVAL = "CONTINUITY_AGENT_INTERVAL_MS"
# What the runner was told of the agent, as JSON: it comes before what the code says.
ABOUT = "CONTINUITY_AGENT_ABOUT"
LONGEST = 256 * 1024
Line = dict[str, Any]


class Channel:
    """`heard` gets each line in a thread of its own, and None when the other end is gone."""

    def __init__(self, end: socket.socket, heard: Callable[[Line | None], None]) -> None:
        self._end, self._heard = end, heard
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._listen, daemon=True, name="runner")

    def start(self) -> None:
        self._thread.start()

    def tell(self, line: Line) -> bool:
        """Whether it could be sent."""
        try:
            with self._lock:
                self._end.sendall(json.dumps(line).encode() + b"\n")
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Ends it under its reader, who lets go of it."""
        try:
            self._end.shutdown(socket.SHUT_RDWR)
        except OSError:
            self._end.close()

    def _listen(self) -> None:
        try:
            with self._end, self._end.makefile("rb") as lines:
                while line := lines.readline(LONGEST):
                    told = _read(line)
                    if told is not None:
                        self._heard(told)
        except OSError:
            pass
        finally:
            self._heard(None)


def _read(line: bytes) -> Line | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def inherited(heard: Callable[[Line | None], None]) -> Channel | None:
    """The channel to the runner that started this process; None where none did."""
    number = os.environ.get(DESCRIPTOR, "")
    if not number.isdigit():
        return None
    try:
        end = socket.socket(fileno=int(number))
        if end.family != socket.AF_UNIX:
            end.detach()
            return None
    except OSError:
        return None
    # What this process starts has no business with the runner.
    end.set_inheritable(False)
    return Channel(end, heard)
