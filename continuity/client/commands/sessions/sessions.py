"""continuity sessions: what the server has of this folder, the latest first."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from continuity.client import selection, shapes, terminal
from continuity.client.client import Client
from continuity.client.light.wording import excerpt, shown_path
from continuity.client.main import DONE

TITLE = 80


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="of every folder, and of the whole team")
    parser.add_argument("--tool", default="", metavar="NAME", help="only of this tool, such as codex")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    here = Path.cwd()
    within = "" if options.all else str(selection.repository(here) or here)
    found = Client().conversations(within=within, source_tool=options.tool, limit=options.limit)
    if options.json:
        terminal.show_json(found)
    elif found:
        terminal.show(terminal.table([_row(each, places=options.all) for each in found]))
    else:
        terminal.note(
            "no session is recorded yet" + ("" if options.all else f" of {shown_path(within)}: --all shows those of other folders")
        )
    return DONE


def _row(each: shapes.Conversation, *, places: bool) -> tuple[str, ...]:
    share = each["utilization"]
    full = f"{share:.0%}" if share is not None else "-"
    when = datetime.fromisoformat(each["updated_at"]).astimezone().strftime("%Y-%m-%d %H:%M")
    told = (each["id"], when, each["source_tool"], full, each["status"].replace("_", " "))
    title = excerpt(each["title"] or "untitled", TITLE)
    return (*told, shown_path(each["cwd"]), title) if places else (*told, title)
