"""Which conversation or handoff a command is about, where its caller does not say."""

from __future__ import annotations

import argparse
from pathlib import Path

from continuity.client import shapes
from continuity.client.client import Client
from continuity.client.running import NotFound

LATEST = "latest"


def conversation_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--conversation", metavar="ID", help="default: the latest one of this folder")


def conversation(client: Client, wanted: str | None) -> str:
    """The conversation named, else the latest of this folder. Raises NotFound."""
    if wanted:
        return wanted
    here = client.conversations(cwd=str(Path.cwd()), limit=1)
    if not here:
        raise NotFound("no conversation of this folder is recorded: name one with --conversation, or `continuity push FILE`")
    return here[0]["id"]


def handoff(client: Client, wanted: str, *, status: str = "") -> shapes.Handoff:
    """The handoff named; for `latest` this folder's newest, else the team's newest. Raises NotFound."""
    if wanted != LATEST:
        return client.handoff(wanted)
    for cwd in (str(Path.cwd()), ""):
        found = client.handoffs(status=status, cwd=cwd, limit=1)
        if found:
            return found[0]
    raise NotFound(f"there is no {status + ' ' if status else ''}handoff; make one with `continuity handoff`")
