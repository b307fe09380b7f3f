"""`manage.py shutdown`: stops the Continuity that runs on this data folder, in order, and says how that went."""

from __future__ import annotations

import os
import signal
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.env import process_environment
from config.supervision import runfile
from continuity.core.operation import stops

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 75.0


class Command(BaseCommand):
    help = "Stops the Continuity that runs on this data folder as SIGTERM does. Exit code 1: none runs, or it did not end as it should."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-wait", action="store_true", help="ask it to stop, and do not wait until it has")

    def handle(self, *args: Any, no_wait: bool = False, **options: Any) -> None:
        env = process_environment(PROJECT)
        data_dir = env.path("CONTINUITY_DATA_DIR", PROJECT / "data", aliases=["STORAGE_PATH"])
        run = runfile.read(runfile.location(data_dir))
        if run is None or run.kind != "supervisor" or not run.alive():
            raise CommandError(f"No Continuity runs on {data_dir}.")
        os.kill(run.owner.pid, signal.SIGTERM)
        self.stdout.write(f"Asked to stop (pid {run.owner.pid}).")
        self.stdout.flush()
        if no_wait:
            return
        deadline = time.monotonic() + PATIENCE_SECONDS
        while run.alive():
            if time.monotonic() > deadline:
                raise CommandError(f"It has not stopped after {PATIENCE_SECONDS:g} seconds (pid {run.owner.pid}).")
            time.sleep(0.1)
        stop = stops.read(data_dir)
        if stop is None or not stop.kept:
            raise CommandError("It stopped, and the store did not say that the state of all conversations is kept: see the log.")
        self.stdout.write(f"Stopped in {stop.seconds:.1f} s; {stop.live} live conversations of agents are kept.")
