"""One call beats for all agents of a user on a machine: whoever runs one joins over a local socket.

The runner that comes first listens; when it ends, the next one does. Each keeps its own process, and beats by itself where the one that
listens does not answer: nobody's life hangs on another's.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from continuity.client.agents.listening import OrderListener
from continuity.client.connection import Away, Refused
from continuity.client.runner.machine import SOCKET

logger = logging.getLogger("continuity.client.runner")

Beat = dict[str, Any]
Send = Callable[[list[Beat]], Mapping[str, Any]]

AT_ONCE = 200
LONGEST = 64 * 1024
# Beats that come so close together go with one call.
GATHER_SECONDS = 0.1
# Before the next call, so that all who wait for it are in it.
EARLY_SECONDS = 0.05
# How long a runner waits for an answer before it beats by itself: well before anybody counts as lost.
PATIENCE_SECONDS = 1.5
# What one is told who is to beat by itself.
ALONE: Mapping[str, Any] = {"alone": True}
# What one is told who is to beat now, since something is ordered.
ORDERED: Mapping[str, Any] = {"ordered": True}


class BeatHub:
    """Takes beats of those who joined, each a line of JSON, and answers each with what the server says of it.

    `key` names the server and the API key, without saying them: who has others is refused.
    """

    def __init__(self, folder: Path, key: str, send: Send, ask: Callable[[], Sequence[str]]) -> None:
        self._path, self._key, self._send = folder / SOCKET, key, send
        self._orders = OrderListener(ask, self._ordered)
        self._lock = os.open(folder / "runner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._over = threading.Event()
        self._selector = selectors.DefaultSelector()
        self._waiting: dict[socket.socket, Beat] = {}
        self._partial: dict[socket.socket, bytes] = {}
        self._agents: dict[socket.socket, str] = {}
        self._called: deque[str] = deque()
        self._waking, self._woken = socket.socketpair()
        self._listens = False
        self._due: float | None = None
        self._next = 0.0

    def lead(self) -> bool:
        """Whether this process listens from now on; False where another one does."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        self._path.unlink(missing_ok=True)  # Of one that was killed.
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            listener.bind(str(self._path))
        finally:
            os.umask(before)
        listener.listen(256)
        listener.setblocking(False)
        self._listens = True
        self._selector.register(listener, selectors.EVENT_READ, partial(self._accept, listener))
        self._selector.register(self._woken, selectors.EVENT_READ, self._call)
        threading.Thread(target=self._serve, args=[listener], daemon=True, name="beats for all").start()
        self._orders.start()
        return True

    def close(self) -> None:
        self._over.set()
        self._orders.stop()
        if not self._listens:
            self._let_go_of_all()

    def _let_go_of_all(self) -> None:
        self._selector.close()
        self._waking.close()
        self._woken.close()
        os.close(self._lock)  # Whoever is first to notice takes over.

    def _ordered(self, agents: Sequence[str]) -> None:
        """Called by the thread that hears of orders."""
        self._called.extend(agents)
        with suppress(OSError):
            self._waking.send(b".")

    def _call(self) -> None:
        """Lets those beat for whom something is ordered."""
        self._woken.recv(LONGEST)
        called = {self._called.popleft() for _ in range(len(self._called))}
        for member, agent in list(self._agents.items()):
            if agent in called and member not in self._waiting:
                self._tell(member, ORDERED)

    def _serve(self, listener: socket.socket) -> None:
        try:
            while not self._over.is_set():
                self._once()
        finally:
            for member in list(self._partial):
                self._let_go(member)
            self._path.unlink(missing_ok=True)
            listener.close()
            self._orders.stop()
            self._let_go_of_all()

    def _once(self) -> None:
        """Takes what came, and beats for those who wait when it is time."""
        wait = 0.25 if self._due is None else max(0.0, self._due - time.monotonic())
        for key, _ in self._selector.select(wait):
            key.data()
        if self._due is not None and time.monotonic() >= self._due:
            self._due = None
            self._beat_for_all()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            member, _ = listener.accept()
            member.settimeout(PATIENCE_SECONDS)
            self._partial[member] = b""
            self._selector.register(member, selectors.EVENT_READ, partial(self._read, member))

    def _read(self, member: socket.socket) -> None:
        """Takes what a member says, and when to beat for it at the latest."""
        try:
            more = member.recv(LONGEST)
        except OSError:
            more = b""
        line, ended, rest = (self._partial[member] + more).partition(b"\n")
        if not more or len(line) > LONGEST:
            self._let_go(member)
            return
        if not ended:
            self._partial[member] = line
            return
        self._partial[member] = rest
        try:
            told = json.loads(line)
            beat, urged, theirs = dict(told["beat"]), bool(told["urged"]), told["key"]
        except (ValueError, TypeError, KeyError, RecursionError):
            self._let_go(member)
            return
        if theirs != self._key:
            self._tell(member, ALONE)
            return
        self._waiting[member], self._agents[member] = beat, str(beat.get("agent"))
        latest = time.monotonic() + (0.0 if urged else GATHER_SECONDS)
        self._due = latest if self._due is None else min(self._due, latest)

    def _beat_for_all(self) -> None:
        waiting, self._waiting = list(self._waiting.items()), {}
        for first in range(0, len(waiting), AT_ONCE):
            some = waiting[first : first + AT_ONCE]
            for (member, _), told in zip(some, self._asked([beat for _, beat in some]), strict=True):
                self._tell(member, told)

    def _asked(self, beats: list[Beat]) -> list[Mapping[str, Any]]:
        """The server's answer for each. A refusal may be one of them alone, so that each asks for itself then."""
        try:
            answer = self._send(beats)
            interval, agents = answer["interval_ms"] / 1000, list(answer["agents"])
        except Away as error:
            return [{"away": str(error)}] * len(beats)
        except (Refused, KeyError, TypeError, ValueError) as error:
            logger.info("A heartbeat of %s is not taken: %s", len(beats), error)
            return [ALONE] * len(beats)
        if len(agents) != len(beats):
            return [ALONE] * len(beats)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + interval
        wait = max(0.1, self._next - now - EARLY_SECONDS)
        return [{**told, "wait": wait} for told in agents]

    def _tell(self, member: socket.socket, answer: Mapping[str, Any]) -> None:
        try:
            member.sendall(json.dumps(answer).encode() + b"\n")
        except OSError:
            self._let_go(member)

    def _let_go(self, member: socket.socket) -> None:
        self._waiting.pop(member, None)
        self._agents.pop(member, None)
        if self._partial.pop(member, None) is not None:
            self._selector.unregister(member)
            member.close()
