"""continuity forget: one session recorded no more, and erased: what waits here, and what the server has."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from continuity.client import selection, terminal
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.light import left_out
from continuity.client.main import DONE, FAILED
from continuity.client.recording import positions, progress, refused_messages
from continuity.client.recording.positions import FilePosition
from continuity.client.recording.spool import Spool

QUESTION = "Forget “{title}”, here and on the server, with its handoffs? It can't be undone."
FORBIDDEN = 403
GONE = (404, 410)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID", nargs="?", help="of the session; default: the latest one of this folder")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--here", action="store_true", help="only here: what the server has stays")


def run(options: argparse.Namespace) -> int:
    """Here first: whatever the server says, nothing more of the session is sent."""
    client = Client()
    conversation = selection.conversation(client, options.session)
    mine = [each.known for each in progress.everything() if each.known.conversation == conversation]
    title = next((str(known.about.get("title", "")) for known in mine), "") or conversation
    if not (options.yes or terminal.confirm(QUESTION.format(title=title))):
        terminal.note("nothing was forgotten; --yes does not ask")
        return FAILED
    for known in mine:
        _forget_here(known)
    left = "" if options.here else _erase(client, conversation)
    if options.json:
        terminal.show_json({"conversation_id": conversation, "files": [known.path for known in mine], "left": left})
    elif left:
        terminal.note(left)
    else:
        where = "here; the server keeps what it has" if options.here else "here and on the server"
        terminal.show(f"Forgotten {where}. The tool's own file of the session stays.")
    return FAILED if left else DONE


def _forget_here(known: FilePosition) -> None:
    left_out.forget(known.path)
    shutil.rmtree(Spool().folder / known.session, ignore_errors=True)
    for kept in list(refused_messages.everything(known.session)):
        refused_messages.drop(kept)
    positions.file_of(Path(known.path)).unlink(missing_ok=True)


def _erase(client: Client, conversation: str) -> str:
    """Why the server still has it; empty where it does not."""
    try:
        client.erase(conversation)
    except Refused as refused:
        if refused.status in GONE:
            return ""
        if refused.status != FORBIDDEN:
            raise
        page = f"{client.url.rstrip('/')}/conversations/{conversation}"
        return f"nothing more of it is sent, but the server keeps what it has: {refused} Whoever may, erases it on {page}"
    return ""
