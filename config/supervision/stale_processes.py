"""Processes found in the data folder at start: a running supervisor, or what a killed one left behind."""

from __future__ import annotations

import signal
from pathlib import Path

from config.embedded import leftovers
from config.embedded.errors import StartError
from config.supervision import runfile


def who_runs(data_dir: Path) -> str:
    """Return in one line who holds the folder's lock."""
    run = runfile.read(runfile.location(data_dir))
    if run is not None and run.alive() and run.kind == "supervisor":
        return f"already running at {run.web_url} (pid {run.owner.pid}, data in {data_dir})"
    return f"another process uses {data_dir} (a start, a stop, or a manage.py command): try again when it has ended"


def end_leftovers(data_dir: Path) -> int:
    """End the programs of a killed supervisor and return how many there were; servers end their own when they start.

    The folder's lock is held: nothing found here can belong to a living supervisor. Raises StartError naming those that stay.
    """
    before = runfile.read(runfile.location(data_dir))
    recorded = {} if before is None else before.processes
    left = {who for who in (*recorded.values(), *leftovers.marked(data_dir)) if who.alive()}
    left -= {who for name in ("postgres", "valkey") for who in leftovers.working_in(data_dir / name)}
    if left and not leftovers.end(left, ((signal.SIGTERM, 3.0),)):
        raise StartError("processes of an earlier run cannot be ended: " + ", ".join(str(who.pid) for who in left if who.alive()))
    runfile.remove(runfile.location(data_dir))
    return len(left)
