"""Asking an agent whether it still works: through its library, or by a command. An agent that has neither is never asked."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class OpenProbe:
    """One that is not answered yet; times are of the monotonic clock."""

    id: str
    asked: float
    patience: float

    def is_late(self, now: float) -> bool:
        return now - self.asked > self.patience


Answered = Callable[[OpenProbe, bool], None]


class CommandProbe:
    """`command` is a line of words, as for a shell but without one; exit code 0 means that the agent works."""

    def __init__(self, command: str, answered: Answered) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise ValueError("the probe is no command")
        self._answered = answered

    def ask(self, question: OpenProbe, patience: float, env: Mapping[str, str]) -> None:
        threading.Thread(target=self._run, args=[question, patience, env], daemon=True, name="probe").start()

    def _run(self, question: OpenProbe, patience: float, env: Mapping[str, str]) -> None:
        quiet = subprocess.DEVNULL
        try:
            process = subprocess.Popen(self._words, env=dict(env), stdin=quiet, stdout=quiet, stderr=quiet, process_group=0)
        except OSError:
            self._answered(question, False)
            return
        until = time.monotonic() + patience
        while process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # Also what a probe left behind.
        self._answered(question, process.wait() == 0)
