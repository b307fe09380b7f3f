"""continuity open: the page of a session or a handoff, in the browser."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser

from continuity.client import selection, terminal
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.main import DONE
from continuity.client.running import UnknownName

UNKNOWN = (404, 422)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="?", help="of a session or a handoff; default: the latest session of this folder")
    parser.add_argument("--print", action="store_true", dest="only_print", help="only show the address")


def run(options: argparse.Namespace) -> int:
    client = Client()
    address = client.url.rstrip("/") + _path(client, options.id)
    opened = not (options.only_print or options.json) and _has_screen() and webbrowser.open(address)
    if options.json:
        terminal.show_json({"address": address})
    else:
        terminal.show(f"Opened {address}" if opened else address)
    return DONE


def _path(client: Client, wanted: str | None) -> str:
    if not wanted:
        return f"/conversations/{selection.conversation(client, None)}"
    try:
        return f"/conversations/{client.conversation(wanted)['id']}"
    except Refused as refused:
        if refused.status not in UNKNOWN:
            raise
    try:
        return f"/handoffs/{client.handoff(wanted)['id']}"
    except Refused as refused:
        if refused.status not in UNKNOWN:
            raise
        raise UnknownName(f"there is no session and no handoff {wanted}; `continuity sessions` lists those of this folder") from None


def _has_screen() -> bool:
    """Whether a browser can open; not where it would take over the terminal, as text browsers do over a remote shell."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
