"""`manage.py replay FILE…`: real session files written line by line while they are recorded, and what was recorded compared with them."""

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from continuity.services.accounts import apikeys
from diagnostics.replaying import comparing, live_replay
from diagnostics.services import temporary_teams

SAME, DIFFERENT = 0, 1


class Command(BaseCommand):
    help = (
        "Writes each FILE anew, line by line, while `continuity watch` records it on the running server, then compares message by message. "
        "Exit code: 0 all messages are the same, 1 some are not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", metavar="FILE", type=Path, nargs="+")
        parser.add_argument("--speed", type=float, default=50.0, metavar="N", help="lines a second of each file (default 50, 0: at once)")
        parser.add_argument("--url", default="", help="the server on this database (default: HOST and PORT as set here)")
        parser.add_argument("--keep", action="store_true", help="keep what was recorded, in a team of its own")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        files: list[Path] = options["files"]
        if missing := [path for path in files if not path.is_file()]:
            raise CommandError(f"{missing[0]} is no file")
        with temporary_teams.passing_team("replay", "Replay", keep=options["keep"]) as team:
            _, key = apikeys.issue(team=team, name="replay")
            with tempfile.TemporaryDirectory(prefix="continuity-replay-") as folder:
                self._replay(files, Path(folder), url=options["url"] or self._ours(), key=key, speed=options["speed"])
                results = [comparing.compare(team, file) for file in files]
        self._print(results, options["json"])
        sys.exit(SAME if all(result.same for result in results) else DIFFERENT)

    def _replay(self, files: list[Path], folder: Path, **how: Any) -> None:
        try:
            live_replay.replay(files, folder, **how)
        except subprocess.CalledProcessError as failed:
            raise CommandError(failed.stderr.decode(errors="replace").strip() or f"the client ended with {failed.returncode}") from failed

    def _ours(self) -> str:
        host = "127.0.0.1" if settings.HOST in ("0.0.0.0", "::") else settings.HOST  # noqa: S104  compared with, not listened on
        return f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}"

    def _print(self, results: list[comparing.Result], as_json: bool) -> None:
        if as_json:
            told = {"same": all(result.same for result in results), "files": [result.as_json() for result in results]}
            self.stdout.write(json.dumps(told))
            return
        for result in results:
            verdict = "same     " if result.same else "DIFFERENT"
            self.stdout.write(f"{verdict} {result.recorded:7,} of {result.expected:7,} messages  {result.name}")
            for difference in result.differences[: comparing.SHOWN]:
                self.stdout.write(f"          {difference}")
