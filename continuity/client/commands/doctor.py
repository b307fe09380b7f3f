"""continuity doctor: what is wrong, and how to mend it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from continuity.client import credentials, finding, installing, places, terminal
from continuity.client.client import Client
from continuity.client.connection import Away, BadAddress, Refused
from continuity.client.light import files
from continuity.client.main import DONE, FAILED
from continuity.client.spool import Spool


class Finding(NamedTuple):
    """`mend` is empty where nothing has to be done; `fatal` findings keep the client from its work."""

    subject: str
    said: str
    mend: str = ""
    fatal: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    found = [*_tried(_server), *_files(), *_tried(_spool), *_tools(), *_tried(_hooks)]
    if options.json:
        terminal.tell_json([each._asdict() for each in found])
    else:
        for each in found:
            mark = terminal.colour("ok  ", "green") if not each.mend else terminal.colour("mend", "red" if each.fatal else "yellow")
            terminal.tell(f"{mark}  {each.subject}: {each.said}" + (f"\n      → {each.mend}" if each.mend else ""))
    return FAILED if any(each.fatal for each in found) else DONE


def _tried(look: Callable[[], list[Finding]]) -> list[Finding]:
    """What a look finds; nothing where the client's folder keeps it from looking, which `_files` tells of."""
    try:
        return look()
    except OSError:
        return []


def _server() -> list[Finding]:
    try:
        known = credentials.find()
        Client(answer=5).conversations(limit=1)
    except credentials.NotLoggedIn:
        return [Finding("key", "there is none", "continuity login URL", True)]
    except BadAddress as error:
        return [Finding("server", str(error), "continuity login URL", True)]
    except Away as away:
        return [Finding("server", f"{known.url} does not answer: {away}", "start it (make run), or log in to another one", True)]
    except Refused as refused:
        mend = "make a new key in the server's admin, then `continuity login`"
        if known.source == "environment":
            mend = "CONTINUITY_API_KEY holds an old key: " + mend
        return [Finding("key", str(refused), mend, True)]
    return [Finding("server", f"{known.url} answers, the key (from {known.source}) is good")]


def _files() -> list[Finding]:
    folder = files.folder_named()
    for name in ("", "spool", "files"):
        try:
            probe = (places.folder(name) if name else places.home()) / "doctor"
            places.write(probe, "written to see whether it can be\n")
            probe.unlink()
        except OSError as error:
            where = Path(folder, name)
            return [
                Finding(
                    "folder", f"{where} can't be written: {error.strerror}", "free space, mend its rights, or set CONTINUITY_HOME", True
                )
            ]
    shared = places.home().stat().st_mode & 0o077
    if shared:
        return [Finding("folder", f"{folder} is open to others", f"chmod 700 {folder}")]
    return [Finding("folder", f"{folder} can be written, by you alone")]


def _spool() -> list[Finding]:
    spool = Spool()
    found = [Finding("to send", f"{count} batches wait", "continuity watch --once")] if (count := spool.count()) else []
    if spool.refused():
        found.append(Finding("refused", f"{spool.refused()} batches", f"the server will not take {places.folder('spool')}/*/refused"))
    return found or [Finding("to send", "nothing waits")]


def _tools() -> list[Finding]:
    found = []
    for folder, format in finding.usual_places():
        if not folder.is_dir():
            continue
        there = installing.is_installed(format)
        found.append(Finding(format, "hooks installed" if there else "no hooks", "" if there else f"continuity install {format}"))
    return found or [Finding("tools", "neither Claude Code nor Codex was used here")]


def _hooks() -> list[Finding]:
    log = places.home() / "hooks.log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return [Finding("hooks", f"the last fault was {lines[-1]}", f"look at {log}, and remove it when it is mended")] if lines else []
