"""continuity forget: one session recorded no more, and erased: what waits here, and what the server has."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from continuity.client import offers, places, selection, terminal
from continuity.client.client import Client
from continuity.client.connection import Away, Refused
from continuity.client.light import exclusions
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE, FAILED
from continuity.client.packs import memory
from continuity.client.recording import finding, positions, progress, refused_messages
from continuity.client.recording.positions import FilePosition
from continuity.client.recording.spool import Spool
from continuity.client.running import UnknownName

QUESTION = "Forget “{title}”, {where}? It can't be undone."
KEPT = "nothing more of it is sent, but the server keeps what it has"
FORBIDDEN = 403
GONE = (404, 410)
UNKNOWN = (404, 422)
# What hooks keep of a session, by its file: lines of a package, what was told of its window.
OF_HOOKS = ("compactions", "told", "windows")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session", metavar="ID", nargs="?", help="of the session; default: the latest one that was recorded here of this folder"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--here", action="store_true", help="only here: what the server has stays")


def run(options: argparse.Namespace) -> int:
    """Here first: whatever the server says, nothing more of the session is sent."""
    client = Client()
    mine = _recorded(options.session) if options.session else _latest()
    conversation = next((known.conversation for known in mine if known.conversation), "")
    title = next((str(known.about["title"]) for known in mine if known.about.get("title")), "")
    if not mine:
        conversation, title = _of_server(client, options.session)
        mine = _recorded(conversation)
    if options.here and not mine:
        raise UnknownName(f"nothing of the session {conversation} is here")
    where = "here alone" if options.here else "here and on the server, with its handoffs"
    if not (options.yes or terminal.confirm(QUESTION.format(title=title or conversation or shown_path(mine[0].path), where=where))):
        terminal.note("nothing was forgotten; --yes does not ask")
        return FAILED
    for known in mine:
        _forget_here(known)
    left = "" if options.here or not conversation else _erase(client, conversation)
    if options.json:
        terminal.show_json({"conversation_id": conversation, "files": [known.path for known in mine], "left": left})
    elif left:
        terminal.note(left)
    else:
        rest = "; the server keeps what it has" if options.here else " and on the server"
        sent = rest if conversation else "; nothing of it was sent"
        terminal.show(
            f"“{title or conversation or shown_path(mine[0].path)}” is forgotten here{sent}. The tool's own file of the session stays."
        )
    return FAILED if left else DONE


def _recorded(conversation: str) -> list[FilePosition]:
    """The files recorded here for the conversation, also of sub-agents and of files that are gone."""
    known = positions.everything()
    sessions = {each.session for each in known if each.conversation == conversation}
    return [each for each in known if each.session and each.session in sessions]


def _latest() -> list[FilePosition]:
    """The latest session of this folder, else of its repository, that was recorded here: what others recorded has to be named. It may be
    one of which the server knows nothing yet. Raises UnknownName."""
    here = Path.cwd()
    around = str(selection.repository(here) or here)
    found = [(each.known, str(each.known.about.get("cwd", ""))) for each in progress.everything()]
    within = [known for known, cwd in found if cwd and exclusions.is_within(cwd, around)]
    chosen = next((known for known, cwd in found if cwd == str(here)), within[0] if within else None)
    if chosen is None:
        raise UnknownName("no session of this folder was recorded here: name one; `continuity sessions` lists what the server has")
    return [each for each in positions.everything() if each.session == chosen.session]


def _of_server(client: Client, wanted: str) -> tuple[str, str]:
    """The id and the title of a session that the server has. Raises UnknownName where it has none."""
    try:
        found = client.conversation(wanted)
    except Refused as refused:
        if refused.status not in UNKNOWN:
            raise
        raise UnknownName(f"there is no session {wanted}; `continuity sessions` lists those of this folder") from None
    return found["id"], found["title"]


def _forget_here(known: FilePosition) -> None:
    path = Path(known.path)
    for each in {path, finding.session_of(path) or path}:
        exclusions.forget(str(each))
    shutil.rmtree(Spool().folder / known.session, ignore_errors=True)
    for kept in list(refused_messages.everything(known.session)):
        refused_messages.drop(kept)
    memory.forget(known.path)
    for folder in OF_HOOKS:
        (places.folder(folder) / f"{places.key_of(known.path)}.json").unlink(missing_ok=True)
    Path(offers.file_of(str(known.about.get("cwd", "")))).unlink(missing_ok=True)  # The recorder fetches it anew.
    positions.file_of(path).unlink(missing_ok=True)


def _erase(client: Client, conversation: str) -> str:
    """Why the server still has it; empty where it does not."""
    try:
        client.erase(conversation)
    except (Away, Refused) as error:
        status = error.status if isinstance(error, Refused) else 0
        if status in GONE:
            return ""
        if status != FORBIDDEN:
            terminal.note(f"{KEPT}: `continuity forget {conversation}` tries again")
            raise
        return f"{KEPT}: {error} Whoever may, erases it on {client.url.rstrip('/')}/conversations/{conversation}"
    return ""
