"""continuity export: a handoff as a signed file, for another installation."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from continuity.client import selection, terminal
from continuity.client.client import Client
from continuity.client.light.wording import shown_path


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("handoff", metavar="ID", nargs="?", help=selection.WHICH)
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="default: standard output")


def run(options: argparse.Namespace) -> int:
    client = Client()
    document = client.export(selection.handoff(client, options.handoff)["id"])
    if options.output is None:
        terminal.show_json(document)
        return 0
    options.output.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    terminal.note(f"exported to {shown_path(options.output)}, signed with the key {document['signature']['keyId']}")
    return 0
