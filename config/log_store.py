"""The logging handler that keeps lines in the database for a day: beside whoever logs, and never in their way.

Lines wait in a short queue for a thread of the process. Where the database is away they wait on, and the oldest are dropped and counted:
standard error has them all.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import socket
import sys
import threading
from collections import deque
from pathlib import Path
from typing import Any

from config.logging import LineFormatter

WAITING = 5_000
AT_ONCE = 500
EVERY_SECONDS, AGAIN_SECONDS = 1.0, 5.0
LAST_SECONDS = 2.0
# What writing the lines itself logs would be written again, and so on.
OWN = ("django.db", "psycopg", "continuity.log_lines")


class LogStoreHandler(logging.Handler):
    """Give it to the root logger. Each process has a thread and a queue of its own, also after a fork."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(LineFormatter(console=False))
        self._begin()
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self._end)

    def _begin(self) -> None:
        self.waiting: deque[str] = deque(maxlen=WAITING)
        self.dropped, self.away = 0, False
        self._writer: threading.Thread | None = None
        self._ending = threading.Event()
        self._starting = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(OWN) or threading.current_thread() is self._writer:
            return
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001  A line that can't be formatted is told on standard error, by the handler of that.
            return
        self.dropped += len(self.waiting) == WAITING
        self.waiting.append(line)
        if self._writer is None:
            self._start()

    def _start(self) -> None:
        with self._starting:
            if self._writer is None and not self._ending.is_set():
                self._writer = threading.Thread(target=self._write_on, name="log-store", daemon=True)
                self._writer.start()

    def _write_on(self) -> None:
        pause = EVERY_SECONDS
        while not self._ending.wait(pause):
            pause = EVERY_SECONDS if self.write() else AGAIN_SECONDS
        self.write()

    def write(self) -> bool:
        """Stores what waits; whether it could. What could not be stored waits on."""
        from django.db import DatabaseError, InterfaceError, connection

        from continuity.services import log_lines

        taken = [self.waiting.popleft() for _ in range(min(AT_ONCE, len(self.waiting)))]
        if not taken:
            return True
        lines: list[dict[str, Any]] = [json.loads(line) for line in taken]
        if self.dropped:
            told = {"dropped": self.dropped}
            lines.append(
                {**lines[-1], "level": "warning", "component": "config.log_store", "message": "Lines were dropped", "metadata": told}
            )
        try:
            log_lines.store(lines=lines, host=socket.gethostname(), process=f"{_program()} {os.getpid()}")
        except (DatabaseError, InterfaceError, OSError) as error:
            if not self.away:
                cause = type(error.__cause__ or error).__name__
                print(f"continuity: log lines can't be stored now ({cause}); they wait, and stand here meanwhile", file=sys.stderr)  # noqa: T201
            self.away = True
            room = max(0, WAITING - len(self.waiting))
            kept = taken[max(0, len(taken) - room) :]
            self.dropped += len(taken) - len(kept)
            self.waiting.extendleft(reversed(kept))
            return False
        except Exception as error:  # noqa: BLE001  A fault of ours in one batch costs that batch, and no line after it.
            print(f"continuity: {len(taken)} log lines could not be stored: {type(error).__name__}", file=sys.stderr)  # noqa: T201
        finally:
            connection.close()
        self.dropped, self.away = 0, False
        return True

    def _end(self) -> None:
        self._ending.set()
        if self._writer is not None:
            self._writer.join(LAST_SECONDS)


def _program() -> str:
    """web, worker, beat, monitor: how the process was started."""
    words = [Path(word).name for word in sys.orig_argv]
    known = {"granian": "web", "worker": "worker", "beat": "beat", "monitor": "monitor"}
    return next((name for word, name in known.items() if word in words), words[1] if len(words) > 1 else words[0])
