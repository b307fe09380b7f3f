"""Starts what prepares packs for live sessions: one process at a time, ended when it takes too long."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Container
from pathlib import Path

from continuity.client import places
from continuity.client.hooks.session import PROGRAM
from continuity.client.packs import memory

LOOK_SECONDS, LONGEST_SECONDS, AGAIN_SECONDS, CLEAN_SECONDS = 0.3, 60.0, 3.0, 600.0


class PackStarter:
    """`look` takes no time: it looks at a folder and at one process."""

    def __init__(self, sessions: Container[Path], say: Callable[[str], None], *, command: tuple[str, ...] = ()) -> None:
        self._sessions = sessions
        self._say = say
        self._command = command or (sys.executable, "-IS", PROGRAM, "pack", "--prepare")
        self._running: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._looked = self._cleaned = float("-inf")
        self._not_before: dict[str, float] = {}

    def look(self) -> None:
        """Ends what takes too long, and starts what a session waits for."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS or self._is_busy(now):
            return
        self._looked = now
        if now - self._cleaned >= CLEAN_SECONDS:
            self._cleaned = now
            memory.forget_old()
        path = self._wished(now)
        if path:
            self._not_before[path] = now + AGAIN_SECONDS
            self._start(path, now)

    def close(self) -> None:
        """Nothing of ours outlives the recorder."""
        if self._running is not None and self._running.poll() is None:
            self._running.kill()
            self._running.wait()

    def _is_busy(self, now: float) -> bool:
        if self._running is None or self._running.poll() is not None:
            return False
        if now - self._began < LONGEST_SECONDS:
            return True
        self._say("preparing packs took too long and was ended")
        self.close()
        return False

    def _wished(self, now: float) -> str:
        """The session whose wish is oldest, of those that are live and were not tried just now."""
        found = []
        for entry in places.folder("packs/wished").glob("*.json"):
            try:
                at = entry.stat().st_mtime
            except OSError:
                continue
            path = str(places.read_object(entry).get("path", ""))
            if path and Path(path) in self._sessions and self._not_before.get(path, 0.0) <= now:
                found.append((at, path))
        return min(found)[1] if found else ""

    def _start(self, path: str, now: float) -> None:
        try:
            self._running = subprocess.Popen(
                [*self._command, path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=places.home(),
            )
        except OSError as error:
            self._say(f"packs can't be prepared: {error.strerror}")
            return
        self._began = now
