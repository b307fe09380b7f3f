"""continuity status: what is recorded, how full the windows are, what still has to be sent and what keeps it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from continuity.client import credentials, shapes, terminal
from continuity.client.client import Client
from continuity.client.commands.access import recorded_folders
from continuity.client.connection import Away, Refused
from continuity.client.light import exclusions
from continuity.client.light.wording import excerpt, shown_path
from continuity.client.main import DONE
from continuity.client.recording import progress, refused_messages
from continuity.client.recording.progress import SessionProgress
from continuity.client.recording.refused_messages import RefusedBatch
from continuity.client.recording.spool import Spool, counted
from continuity.client.running import code_of

SHOWN, LOOKED_THROUGH = 10, 50
TITLE = 80


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    """As every command: 4 where the server is away, 5 where it refuses the key, 6 where it fails; what is here is told in any case."""
    found = credentials.find()
    code = DONE
    waiting: list[shapes.Handoff] = []
    try:
        waiting = _newest(Client(answer=5).handoffs(status="ready", cwd=str(Path.cwd()), limit=LOOKED_THROUGH))[:SHOWN]
        server = "answers"
    except (Away, Refused) as error:
        code, server = code_of(error), str(error)
    spool, sessions, kept = Spool(), progress.everything(), list(refused_messages.everything())
    lines = recorded_folders.exclusion_lines(str(Path.cwd()))
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
                "leaves_nothing_out": [{"path": each.path, "line": each.line} for each in lines if each.idle],
                "records": recorded_folders.recorded(),
                "exclusions": [{"path": each.path, "line": each.line} for each in lines if not each.idle],
            }
        )
        return code
    terminal.show(f"Server   {found.url}: {server}")
    terminal.show(f"Records  {recorded_folders.recorded()}")
    if recorded_folders.is_recording() and (here := exclusions.folder_reason(str(Path.cwd()))):
        terminal.show(f"Excluded this folder: {here}")
    for line in lines[:SHOWN]:
        terminal.show(f"Excluded {line.said}")
    if len(lines) > SHOWN:
        terminal.show(f"Excluded by {len(lines) - SHOWN} more lines; --json lists all")
    terminal.show(f"To send  {counted(spool.count())}, {spool.size() / 2**20:.1f} MB")
    for each in kept[:SHOWN]:
        terminal.show(f"Aside    {described(each)}")
    for session in sessions[:SHOWN]:
        terminal.show(f"  {_fullness(session)}  {_title(session)}  {terminal.colour(shown_path(session.known.path), 'dim')}")
    titles = {each.known.conversation: each.known.about.get("title", "") for each in sessions}
    for handoff in waiting:
        about = excerpt(titles.get(handoff["conversation_id"]) or handoff["summary"], TITLE)
        terminal.show(f"Ready    handoff {handoff['id']} of this folder{f': “{about}”' if about else ''}")
    return code


def _newest(ready: list[shapes.Handoff]) -> list[shapes.Handoff]:
    """The newest handoff of each conversation, in their order: the newest first."""
    return list({each["conversation_id"]: each for each in reversed(ready)}.values())[::-1]


def _not_recorded() -> list[str]:
    """Describes the exclusions that hold here."""
    here = exclusions.folder_reason(str(Path.cwd()))
    told = [
        f"everything, {until}" if (until := exclusions.paused()) else "",
        f"this folder: {here}" if here else "",
        f"whatever is outside of {', '.join(map(shown_path, only))}" if (only := exclusions.only_folders()) and not here else "",
    ]
    return [each for each in told if each]


def described(kept: RefusedBatch) -> str:
    """Describes messages that the server refused: why, and what becomes of them."""
    title = str(kept.batch.get("session", {}).get("title", "")) or "untitled"
    place = "a placeholder holds its place" if kept.held else "the rest of the session continues"
    again = f"sent again when the server is another version than {kept.version or 'now'}"
    return f"{kept.messages} of “{excerpt(title, 60)}”: {kept.reason.rstrip('.')} ({place}; {again}; kept in {shown_path(kept.path)})"


def _fullness(session: SessionProgress) -> str:
    share = session.known.decision.get("utilization")
    if not session.known.conversation:
        return "not sent "
    return f"{share:4.0%} full" if isinstance(share, int | float) else "window unknown"


def _title(session: SessionProgress) -> str:
    title = excerpt(session.known.about.get("title", ""), 60) or Path(session.known.path).name
    return f"{title} ({session.said})" if session.said else title


def _as_json(session: SessionProgress) -> dict[str, Any]:
    known = session.known
    told = {"path": known.path, "conversation_id": known.conversation, "decision": known.decision, "handoff_id": known.handoff}
    return told | {"unread_bytes": session.unread, "batches": session.batches, "reason": session.reason, "aside": session.aside}


def _aside_as_json(kept: RefusedBatch) -> dict[str, Any]:
    names = [message.get("external_id", "") for message in kept.batch.get("messages", ())]
    told = {"path": str(kept.path), "external_ids": names, "reason": kept.reason, "correlation_id": kept.correlation_id}
    return told | {"server_version": kept.version, "placeholder": kept.held}
