"""continuity doctor: what is wrong, and how to mend it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from continuity.client import credentials, places, terminal
from continuity.client.client import Client
from continuity.client.commands.access.hook_findings import Finding, of_hooks, of_tools
from continuity.client.commands.access.status import SHOWN, described
from continuity.client.connection import Away, BadAddress, Refused, ServerFault
from continuity.client.light import exclusions, files
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE, FAILED
from continuity.client.recording import progress, refused_messages
from continuity.client.recording.spool import Spool, counted

GONE = (404, 410)
TOO_OLD = {
    "client_too_old": "get the present client from {url}/client/",
    "server_too_old": "bring the server up to date, or get the client that it offers from {url}/client/",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    found = [*_tried(_server), *_files(), *_tried(_spool), *of_tools(), *_tried(of_hooks), *_tried(_arrived)]
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
