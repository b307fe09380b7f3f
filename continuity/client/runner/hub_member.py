"""One runner's end of the hub: it sends the beats of its agent with those of the others on this machine."""

from __future__ import annotations

import json
import logging
import queue
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from continuity.client.connection import Away
from continuity.client.runner.hub import ORDERED, PATIENCE_SECONDS, Beat, BeatHub, Send
from continuity.client.runner.machine import SOCKET

logger = logging.getLogger("continuity.client.runner")


class Joined:
    """Used by one thread. `ask` waits for orders for all agents of this machine, where this runner is who listens; `urge` is called when
    there is one for its own, by another thread."""

    def __init__(self, folder: Path, key: str, send: Send, *, ask: Callable[[], Sequence[str]], urge: Callable[[], None]) -> None:
        self._folder, self._key, self._send, self._ask, self._urge = folder, key, send, ask, urge
        self._hub: BeatHub | None = None
        self._member: _Member | None = None

    def send(self, beat: Beat, urged: bool) -> Mapping[str, Any]:
        """Send a beat, and return the server's answer. Raises Away and Refused."""
        answer = self._through_hub(beat, urged)
        if answer is None or "alone" in answer:
            told: Mapping[str, Any] = self._send([beat])["agents"][0]
            return told
        if "away" in answer:
            raise Away(str(answer["away"]))
        return answer

    def close(self) -> None:
        self._disconnect()
        if self._hub is not None:
            self._hub.close()

    def _through_hub(self, beat: Beat, urged: bool) -> Mapping[str, Any] | None:
        """None where nobody takes it in time."""
        try:
            self._member = self._member or self._connect()
            return self._member.asked({"beat": beat, "urged": urged, "key": self._key})
        except (OSError, ValueError, queue.Empty) as error:
            logger.debug("Nobody beats for all: %s", error)
        self._disconnect()  # A late answer must not be taken for the next one's.
        return None

    def _connect(self) -> _Member:
        for _ in range(2):
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            made.settimeout(PATIENCE_SECONDS)
            try:
                made.connect(str(self._folder / SOCKET))
            except (FileNotFoundError, ConnectionRefusedError):
                made.close()
                if not self._lead():
                    break
            except OSError:
                made.close()
                raise
            else:
                return _Member(made, self._urge)
        raise ConnectionRefusedError("nobody listens yet")

    def _lead(self) -> bool:
        if self._hub is None:
            self._hub = BeatHub(self._folder, self._key, self._send, self._ask)
        return self._hub.lead()

    def _disconnect(self) -> None:
        member, self._member = self._member, None
        if member is not None:
            member.close()


class _Member:
    """A connection to the hub, whose lines a thread reads: answers, and that something is ordered."""

    def __init__(self, connected: socket.socket, urge: Callable[[], None]) -> None:
        self._socket, self._urge = connected, urge
        self._socket.settimeout(None)
        self._answers: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._read, daemon=True, name="beats of all")
        self._thread.start()

    def asked(self, line: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The answer to a line; None where the hub went. Raises OSError, queue.Empty where it takes too long."""
        self._socket.sendall(json.dumps(line).encode() + b"\n")
        answer = self._answers.get(timeout=PATIENCE_SECONDS)
        if answer is None:
            raise ConnectionResetError("nobody listens any more")
        return answer

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE_SECONDS)

    def _read(self) -> None:
        try:
            with self._socket, self._socket.makefile("rb") as lines:
                for line in lines:
                    answer = json.loads(line)
                    if answer == ORDERED:
                        self._urge()
                    else:
                        self._answers.put(answer)
        except (OSError, ValueError, RecursionError) as error:
            logger.debug("The one that beats for all is not understood: %s", error)
        finally:
            self._answers.put(None)
