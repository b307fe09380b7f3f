"""`manage.py pack --repository DIR --prompt-file FILE`: the files and the packs for a request; no database, no server."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from continuity.core.isolation import error_type, place_of
from continuity.packs.fill import WHOLE
from handoffs.management.printing import print_text
from handoffs.packs.oneshot import as_json, packs_of

DONE, FAILED, BAD_INPUT = 0, 1, 2
PROMPT_BYTES = 4_000_000


class Command(BaseCommand):
    help = (
        "Ranks the files of a repository for a request and prints what a session should know of the place: Anchor, Context and Delta. "
        "Reads only, and runs nothing that the repository configures. Exit code: 0 done, 2 the input is bad, 1 a fault of ours."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repository", type=Path, required=True, metavar="DIR", help="a folder of the repository, or one without git")
        parser.add_argument("--prompt-file", type=Path, required=True, metavar="FILE", help="what is asked, UTF-8; - for standard input")
        parser.add_argument("--budget", type=int, default=WHOLE, metavar="BYTES", help=f"of the three packs together (at most {WHOLE})")
        parser.add_argument("--since", default="", metavar="COMMIT", help="the delta begins there (default: at HEAD)")
        parser.add_argument("--sessions", type=Path, metavar="DIR", help="files of earlier sessions; what they said after HEAD is left out")
        parser.add_argument("--json", action="store_true", help="print files and packs as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        for name in ("repository", "sessions"):
            if options[name] is not None and not options[name].is_dir():
                self._refuse(f"--{name} names no folder")
        if options["budget"] < 1:
            self._refuse("--budget must be at least 1")
        try:
            with sys.stdin.buffer if str(options["prompt_file"]) == "-" else options["prompt_file"].open("rb") as stream:
                prompt = stream.read(PROMPT_BYTES).decode("utf-8", "replace")
        except OSError as error:
            self._refuse(f"The request can't be read: {error.strerror}")
        try:
            packs = packs_of(options["repository"], prompt, budget=options["budget"], since=options["since"], sessions=options["sessions"])
        except OSError as error:
            self._refuse(f"The packs can't be made: {error.strerror}")
        except Exception as error:  # noqa: BLE001  told by its type: what it says may quote the repository
            self.stderr.write(f"No pack can be made: {error_type(error)} at {place_of(error)}. Please report this.")
            sys.exit(FAILED)
        if options["json"]:
            print_text(json.dumps(as_json(packs), ensure_ascii=False, indent=2) + "\n")
        else:
            print_text("\n".join(text for text in (packs.anchor, packs.context, packs.delta) if text))

    def _refuse(self, why: str) -> NoReturn:
        self.stderr.write(why)
        sys.exit(BAD_INPUT)
