"""continuity doctor: what is wrong, and how to mend it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from continuity.client import credentials, places, terminal
from continuity.client.client import Client
from continuity.client.commands.access.status import SHOWN, described
from continuity.client.connection import Away, BadAddress, Refused, ServerFault
from continuity.client.hooks.dispatch import UNRECORDED
from continuity.client.light import exclusions, files
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE, FAILED
from continuity.client.recording import progress, refused_messages
from continuity.client.recording.spool import Spool, counted
from continuity.client.setup import claude_plugin, codex_hooks, targets

RECENT = timedelta(hours=24)
GONE = (404, 410)
TOO_OLD = {
    "client_too_old": "get the present client from {url}/client/",
    "server_too_old": "bring the server up to date, or get the client that it offers from {url}/client/",
}


class Finding(NamedTuple):
    """`mend` is empty where nothing has to be done; `fatal` findings keep the client from its work."""

    subject: str
    said: str
    mend: str = ""
    fatal: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    found = [*_tried(_server), *_files(), *_tried(_spool), *_tools(), *_tried(_hooks), *_tried(_arrived)]
    if options.json:
        terminal.show_json([each._asdict() for each in found])
    else:
        for each in found:
            mark = terminal.colour("ok  ", "green") if not each.mend else terminal.colour("fix ", "red" if each.fatal else "yellow")
            terminal.show(f"{mark}  {each.subject}: {each.said}" + (f"\n      → {each.mend}" if each.mend else ""))
    return FAILED if any(each.fatal for each in found) else DONE


def _tried(look: Callable[[], list[Finding]]) -> list[Finding]:
    """The findings of a check; nothing where the client's folder keeps it from looking, which `_files` tells of."""
    try:
        return look()
    except OSError:
        return []


def _server() -> list[Finding]:
    try:
        known = credentials.find()
        client = Client(answer=5)
        client.conversations(limit=1)
    except credentials.NotLoggedIn:
        return [Finding("key", "there is none", "continuity login URL", True)]
    except BadAddress as error:
        return [Finding("server", str(error), "continuity login URL", True)]
    except Away as away:
        return [
            Finding(
                "server",
                f"{known.url} does not answer: {away}",
                "whoever runs it starts it (`make run`); what is recorded here is kept, and sent then",
                True,
            )
        ]
    except ServerFault as fault:
        return [Finding("server", f"{known.url}: {fault}", "see its log under this id; what is recorded here is kept", True)]
    except Refused as refused:
        if refused.code in TOO_OLD:
            return [Finding("versions", str(refused), TOO_OLD[refused.code].format(url=known.url), True)]
        mend = f"make a code or a key on {known.url}/client/, then `continuity login {known.url}`"
        if known.source == "environment":
            mend = "CONTINUITY_API_KEY holds an old key: " + mend
        return [Finding("key", str(refused), mend, True)]
    return [Finding("server", f"{known.url} answers (version {client.version}), the key (from {known.source}) is good")]


def _files() -> list[Finding]:
    folder = files.folder_named()
    for name in ("", "spool", "files"):
        try:
            probe = (places.folder(name) if name else places.home()) / "doctor"
            places.write(probe, "written to see whether it can be\n")
            probe.unlink()
        except OSError as error:
            said = f"{shown_path(Path(folder, name))} can't be written: {error.strerror}"
            return [Finding("folder", said, "free space, mend its rights, or set CONTINUITY_HOME", True)]
    shared = places.home().stat().st_mode & 0o077
    if shared:
        return [Finding("folder", f"{shown_path(folder)} is open to others", f"chmod 700 {shown_path(folder)}")]
    return [Finding("folder", f"{shown_path(folder)} can be written, by you alone")]


def _spool() -> list[Finding]:
    spool = Spool()
    found = [Finding("to send", f"{counted(count)} waiting", "continuity watch --once")] if (count := spool.count()) else []
    for session in spool.sessions():
        if trouble := spool.trouble(session):
            found.append(Finding("to send", f"a session waits: {trouble.get('reason', '')}", "it is tried again; see the server's log"))
    again = "it is sent again when the server's version changes; see the server's log"
    found += [Finding("set aside", described(kept), again) for kept in islice(refused_messages.everything(), SHOWN)]
    return found or [Finding("to send", "nothing waits")]


def _tools() -> list[Finding]:
    found = [_tool(name) for name in targets.used()]
    return found or [Finding("tools", "no tool was used here that Continuity goes into")]


def _tool(name: str) -> Finding:
    try:
        there = targets.is_installed(name)
        by_plugin = name == "claude-code" and claude_plugin.is_enabled()
    except OSError as error:
        return Finding(name, str(error), f"mend the file, then `continuity install {name}`")
    if there and by_plugin:
        return Finding(name, "hooks in the settings and in the plugin", f"continuity uninstall {name}; continuity install {name} --plugin")
    if by_plugin:
        return Finding(name, "the plugin is installed, with the hooks")
    if name in targets.WITHOUT_HOOKS:
        return Finding(name, "the MCP server is in" if there else "nothing of Continuity; what is done there can't be recorded")
    if not there:
        return Finding(name, "no hooks", f"continuity install {name}")
    trust = codex_hooks.trust() if name == "codex" else "trusted"
    if trust == "untrusted":
        said = "hooks installed, but Codex does not run them: they are not trusted as they stand, and nothing is recorded"
        return Finding(name, said, "open Codex, type /hooks, and trust them")
    return Finding(name, "hooks installed" if trust == "trusted" else "hooks installed; Codex could not be asked whether it trusts them")


def _hooks() -> list[Finding]:
    """Faults of the last day are to be mended; older ones are over, or would have come again. A server that was away or refused is none."""
    log = places.home() / "hooks.log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    lines = [line for line in lines if line[20:].partition(":")[0] not in UNRECORDED]
    if not lines:
        return []
    since = (datetime.now().astimezone() - RECENT).strftime("%Y-%m-%d %H:%M:%S")  # The log has local times.
    recent = [line for line in lines if line[:19] >= since]
    if not recent:
        return [Finding("hooks", f"no fault since {lines[-1][:19]}")]
    count = f"{len(recent)} faults in the last 24 hours, the last" if len(recent) > 1 else "one fault in the last 24 hours"
    return [Finding("hooks", f"{count}: {recent[-1]}", f"look at {shown_path(log)}")]


def _arrived() -> list[Finding]:
    """Whether words of a real session are with the server: hooks that are installed prove nothing yet."""
    if until := exclusions.paused():
        return [Finding("recording", f"paused {until}", "continuity pause --end")]
    why = exclusions.folder_reason(str(Path.cwd()))
    return [*([Finding("this folder", f"is not recorded: {why}")] if why else []), *_latest()]


def _latest() -> list[Finding]:
    sessions = progress.everything()
    if not sessions:
        return [Finding("recording", "nothing of any session arrived yet", "say something in a tool that has the hooks, and look again")]
    latest = sessions[0]
    name = latest.known.about.get("title", "") or Path(latest.known.path).name
    if not latest.known.conversation:
        return [Finding("recording", f"“{name}” is kept here, and nothing of it arrived yet", "continuity watch --once")]
    try:
        count = Client(answer=5).conversation(latest.known.conversation)["message_count"]
    except (Away, Refused, BadAddress, credentials.NotLoggedIn) as error:
        if isinstance(error, Refused) and error.status in GONE:
            return [Finding("recording", f"the latest session, “{name}”, is no longer with the server: it was erased there")]
        return []  # What keeps the server from answering is told already.
    return [Finding("recording", f"{count:,} messages of the latest session, “{name}”, are with the server")]
