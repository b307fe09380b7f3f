"""continuity status: what is recorded, how full the windows are, what still has to be sent."""

from __future__ import annotations

import argparse
from pathlib import Path

from continuity.client import credentials, finding, positions, terminal
from continuity.client.client import Client
from continuity.client.connection import Away, Refused
from continuity.client.spool import Spool

SHOWN = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    found = credentials.find()
    try:
        waiting = Client(answer=5).handoffs(status="ready", cwd=str(Path.cwd()), limit=SHOWN)
        server = "answers"
    except (Away, Refused) as error:
        waiting, server = [], str(error)
    spool = Spool()
    files = [known for known in positions.everything() if known.session and _is_shown(Path(known.path))]
    files.sort(key=lambda known: Path(known.path).stat().st_mtime, reverse=True)
    if options.json:
        recorded = [{"path": known.path, "conversation_id": known.conversation, "decision": known.decision} for known in files]
        kept = {"batches": spool.count(), "bytes": spool.size(), "refused": spool.refused()}
        terminal.tell_json({"url": found.url, "server": server, "files": recorded, "spool": kept, "ready": waiting})
        return 0
    terminal.tell(f"Server   {found.url}: {server}")
    terminal.tell(
        f"To send  {spool.count()} batches, {spool.size() / 2**20:.1f} MB" + (f"; {spool.refused()} refused" if spool.refused() else "")
    )
    for known in files[:SHOWN]:
        share = known.decision.get("utilization")
        full = f"{share:4.0%} full" if isinstance(share, float) else "not sent "
        terminal.tell(f"  {full}  {known.about.get('title', '')[:60] or Path(known.path).name}  {terminal.colour(known.path, 'dim')}")
    for handoff in waiting:
        terminal.tell(
            f"Ready    handoff {handoff['id']} of this folder: {handoff['summary'].splitlines()[0][:80] if handoff['summary'] else ''}"
        )
    return 0


def _is_shown(path: Path) -> bool:
    """What sub-agents said is part of their session's conversation."""
    return path.exists() and finding.session_of(path) is None
