"""Chooses the conversation or handoff of a command where its caller does not name one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from continuity.client import shapes, terminal
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.light.wording import excerpt, shown_path
from continuity.client.running import UnknownName

LATEST, TITLE = "latest", 120
WHICH = f"default: the newest of this folder, else of its repository; `{LATEST}`: the team's newest"
T = TypeVar("T")


def conversation_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--conversation", metavar="ID", help="default: the latest one of this folder, else of its repository")


def conversation(client: Client, wanted: str | None) -> str:
    """The conversation named, else the latest of this folder or its repository. Raises NotFound."""
    if wanted:
        return wanted
    here = _newest_here(client.conversations)
    if here is None:
        raise UnknownName(
            "no session of this folder is recorded: name one by its id (`continuity sessions --all`), or `continuity push FILE`"
        )
    return here["id"]


def handoff(client: Client, wanted: str | None, *, status: str = "") -> shapes.Handoff:
    """The handoff named; else the newest of this folder or its repository, or for `latest` the team's, and says which. Raises NotFound."""
    if wanted and wanted != LATEST:
        return _named(client, wanted)
    kind = f"{status} " if status else ""
    newest = client.handoffs(status=status, limit=1)
    if not newest:
        raise UnknownName(f"there is no {kind}handoff; make one with `continuity handoff`")
    if wanted == LATEST:
        _say(client, newest[0], f"the team's newest {kind}handoff")
        return newest[0]
    here = _newest_here(lambda **query: client.handoffs(status=status, **query))
    if here is None:
        told = _described(client, newest[0])
        raise UnknownName(
            f"there is no {kind}handoff of {shown_path(Path.cwd())}: name one, or say `{LATEST}` for the team's newest, {told}"
        )
    _say(client, here, f"the newest {kind}handoff here")
    return here


def _named(client: Client, wanted: str) -> shapes.Handoff:
    try:
        return client.handoff(wanted)
    except Refused as refused:
        if refused.status not in (404, 422):
            raise
        told = f"there is no handoff {wanted}: give an id, `{LATEST}` for the team's newest, or none for the newest here"
        raise UnknownName(told) from None


def _newest_here(find: Callable[..., Sequence[T]]) -> T | None:
    """The newest of the folder itself, else of anywhere in its repository, else of the folders below it."""
    cwd = Path.cwd()
    places: list[dict[str, Any]] = [{"cwd": str(cwd)}, {"within": str(repository(cwd) or cwd)}]
    return next((found[0] for place in places if (found := find(**place, limit=1))), None)


def repository(folder: Path) -> Path | None:
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def _say(client: Client, chosen: shapes.Handoff, what: str) -> None:
    terminal.note(f"{what}: {_described(client, chosen)}")


def _described(client: Client, chosen: shapes.Handoff) -> str:
    about = client.conversation(chosen["conversation_id"])
    where = f" in {shown_path(about['cwd'])}" if about["cwd"] else ""
    return f"{chosen['id']} of {chosen['created_at'][:16].replace('T', ' ')} UTC, “{excerpt(about['title'] or 'untitled', TITLE)}”{where}"
