"""continuity watch: session files recorded as they grow."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

from continuity.client import finding, terminal
from continuity.client.claims import Claim
from continuity.client.client import Client
from continuity.client.sending import Sender
from continuity.client.spool import Spool
from continuity.client.watching import Watcher


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
    parser.add_argument("--until-quiet", metavar="SECONDS", type=float, default=0.0, help="stop when nothing came for so long")
    parser.add_argument("--alone", action="store_true", help="leave at once where another process records the file")


def run(options: argparse.Namespace) -> int:
    if options.alone and not all(_free(path) for path in options.paths):
        return 0
    sender = Sender(Client(), Spool(), terminal.note)
    paths = options.paths

    def find() -> list[finding.Found]:
        return list(finding.in_places(paths) if paths else finding.recent(options.since))

    watcher = Watcher(find, sender, terminal.note)

    def stop(number: int, frame: object) -> None:
        watcher.stop = True

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    watcher.run(until_quiet=options.until_quiet, once=options.once)
    sender.drain()
    if options.json:
        terminal.tell_json({"files": watcher.files, "waiting": Spool().count()})
    return 0


def _free(path: Path) -> bool:
    claim = Claim(path.absolute())
    claim.release()
    return claim.ours
