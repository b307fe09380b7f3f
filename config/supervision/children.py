"""Child processes of the supervisor: programs and embedded servers behind one interface."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from config.embedded.launch import kill_group, spawn, stop
from config.supervision.backoff import Backoff


class Startable(Protocol):
    """A program or server that can be launched any number of times."""

    process: subprocess.Popen[bytes] | None

    def launch(self) -> None: ...

    def stop(self) -> None: ...


@dataclass
class Program:
    """A Python program of ours: its command, and the signals with seconds that end it."""

    command: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    signals: Sequence[tuple[int, float]]
    process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        if self.process is not None:
            kill_group(self.process.pid)  # What a killed main process left of its own children.
        self.process = spawn(self.command, env=self.env, cwd=self.cwd)

    def stop(self, hurry: Callable[[], bool] = lambda: False) -> None:
        """End it; `hurry` is asked while waiting, and cuts the waiting short."""
        if self.process is not None:
            stop(self.process, self.signals, hurry)


@dataclass
class Child:
    """One supervised process: when it was started, and when it may be started again."""

    name: str
    what: Startable
    started_at: float = 0.0
    due_at: float | None = None
    backoff: Backoff = field(default_factory=Backoff)

    def status(self) -> int | None:
        """Return the exit status of the last launch, None while it runs."""
        return None if self.what.process is None else self.what.process.poll()

    def start(self, now: float) -> None:
        self.started_at, self.due_at = now, None
        self.what.launch()

    def died(self, now: float) -> int | None:
        """Return the exit status if it died since the last look, and plan its restart; None while it lives or waits."""
        if self.due_at is not None:
            return None
        status = self.status()
        if status is not None:
            self.plan(now)
        return status

    def plan(self, now: float) -> None:
        self.due_at = now + self.backoff.next_delay(now - self.started_at)

    def due(self, now: float) -> bool:
        return self.due_at is not None and now >= self.due_at
