"""continuity import-package: a handoff that another installation exported."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from continuity.client import terminal
from continuity.client.client import Client
from continuity.client.main import CHECK_FAILED, DONE
from continuity.client.running import UnknownName


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="what `continuity export` wrote")
    parser.add_argument("--draft", action="store_true", help="import it as a draft for review")


def run(options: argparse.Namespace) -> int:
    try:
        document = json.loads(options.file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnknownName(f"{options.file} holds no package: {error}") from error
    made = Client().import_package(document, draft=options.draft)
    if options.json:
        terminal.show_json(made)
    else:
        terminal.show(f"{made['status'].capitalize()}: handoff {made['id']}, fidelity {made['fidelity_score']:.2f}")
    return CHECK_FAILED if made["status"] == "failed" else DONE
