"""continuity status: what is recorded, how full the windows are, what still has to be sent and what keeps it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from continuity.client import credentials, terminal
from continuity.client.client import Client
from continuity.client.connection import Away, Refused
from continuity.client.light import exclusions
from continuity.client.main import DONE
from continuity.client.recording import progress, refused_messages
from continuity.client.recording.progress import SessionProgress
from continuity.client.recording.refused_messages import RefusedBatch
from continuity.client.recording.spool import Spool, counted
from continuity.client.running import code_of

SHOWN = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    """As every command: 4 where the server is away, 5 where it refuses the key, 6 where it fails; what is here is told in any case."""
    found = credentials.find()
    code, waiting = DONE, []
    try:
        waiting = Client(answer=5).handoffs(status="ready", cwd=str(Path.cwd()), limit=SHOWN)
        server = "answers"
    except (Away, Refused) as error:
        code, server = code_of(error), str(error)
    spool, sessions, kept = Spool(), progress.everything(), list(refused_messages.everything())
    idle = exclusions.idle_lines(str(Path.cwd()))[:SHOWN]
    if options.json:
        terminal.show_json(
            {
                "url": found.url,
                "server": server,
                "files": [_as_json(each) for each in sessions],
                "spool": {"batches": spool.count(), "bytes": spool.size()},
                "aside": [_aside_as_json(each) for each in kept],
                "ready": waiting,
                "left_out": _not_recorded(),
                "leaves_nothing_out": [{"path": path, "line": line} for path, line in idle],
            }
        )
        return code
    terminal.show(f"Server   {found.url}: {server}")
    for told in _not_recorded():
        terminal.show(f"Left out {told}")
    for path, line in idle:
        terminal.show(f"Left out nothing by the line {line} of {path}: no folder there has that name")
    terminal.show(f"To send  {counted(spool.count())}, {spool.size() / 2**20:.1f} MB")
    for each in kept[:SHOWN]:
        terminal.show(f"Aside    {described(each)}")
    for session in sessions[:SHOWN]:
        terminal.show(f"  {_fullness(session)}  {_title(session)}  {terminal.colour(session.known.path, 'dim')}")
    for handoff in waiting:
        summary = handoff["summary"].splitlines()[0][:80] if handoff["summary"] else ""
        terminal.show(f"Ready    handoff {handoff['id']} of this folder: {summary}")
    return code


def _not_recorded() -> list[str]:
    """Describes what is left out of recording."""
    here = exclusions.folder_reason(str(Path.cwd()))
    told = [
        f"everything, {until}" if (until := exclusions.paused()) else "",
        f"this folder: {here}" if here else "",
        f"whatever is outside of {', '.join(only)}" if (only := exclusions.only_folders()) and not here else "",
    ]
    return [each for each in told if each]


def described(kept: RefusedBatch) -> str:
    """Describes messages that the server refused: why, and what becomes of them."""
    title = str(kept.batch.get("session", {}).get("title", "")) or "untitled"
    place = "a placeholder holds its place" if kept.held else "the rest of the session continues"
    again = f"sent again when the server is another version than {kept.version or 'now'}"
    return f"{kept.messages} of “{title[:60]}”: {kept.reason.rstrip('.')} ({place}; {again}; kept in {kept.path})"


def _fullness(session: SessionProgress) -> str:
    share = session.known.decision.get("utilization")
    if not session.known.conversation:
        return "not sent "
    return f"{share:4.0%} full" if isinstance(share, int | float) else "window unknown"


def _title(session: SessionProgress) -> str:
    title = session.known.about.get("title", "")[:60] or Path(session.known.path).name
    return f"{title} ({session.said})" if session.said else title


def _as_json(session: SessionProgress) -> dict[str, Any]:
    known = session.known
    told = {"path": known.path, "conversation_id": known.conversation, "decision": known.decision, "handoff_id": known.handoff}
    return told | {"unread_bytes": session.unread, "batches": session.batches, "reason": session.reason, "aside": session.aside}


def _aside_as_json(kept: RefusedBatch) -> dict[str, Any]:
    names = [message.get("external_id", "") for message in kept.batch.get("messages", ())]
    told = {"path": str(kept.path), "external_ids": names, "reason": kept.reason, "correlation_id": kept.correlation_id}
    return told | {"server_version": kept.version, "placeholder": kept.held}
