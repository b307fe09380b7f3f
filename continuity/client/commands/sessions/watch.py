"""continuity watch: session files recorded as they grow."""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Callable
from pathlib import Path

from continuity.client import terminal
from continuity.client.client import Client
from continuity.client.main import DONE
from continuity.client.recording import finding, recorder
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import Watcher


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", type=Path, help="files and folders; default: where Claude Code and Codex keep theirs"
    )
    parser.add_argument(
        "--since",
        metavar="HOURS",
        type=float,
        default=finding.RECENT_HOURS,
        help="files changed in the last hours (default: %(default)g, 0: all)",
    )
    parser.add_argument("--once", action="store_true", help="stop when everything that is there is recorded")
    parser.add_argument("--until-quiet", metavar="SECONDS", type=float, default=0.0, help="stop after so many seconds without anything new")
    parser.add_argument("--recorder", type=int, metavar="CLAIM", help=argparse.SUPPRESS)  # How hooks start the one in the background.


def run(options: argparse.Namespace) -> int:
    if options.recorder is not None:
        return recorder.run(_dated, _on_stop, handed=options.recorder)
    sender = Sender(Client(acting=False), Spool(), terminal.note)
    paths = options.paths

    def find() -> list[finding.FoundSession]:
        return list(finding.in_places(paths) if paths else finding.recent(options.since))

    watcher = Watcher(find, sender, terminal.note)

    def stop() -> None:
        watcher.stop = True

    _on_stop(stop)
    watcher.run(until_quiet=options.until_quiet, once=options.once)
    if options.json:
        terminal.show_json({"files": watcher.files, "waiting": Spool().count()})
    return DONE


def _on_stop(stop: Callable[[], None]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: stop())


def _dated(line: str) -> None:
    terminal.note(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}")
