"""A client for each call of a tool, with the key of whoever called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from continuity.client.client import Client
from continuity.client.connection import Away, BadAddress, Refused
from continuity.client.credentials import NotLoggedIn

GONE = (404, 410)


class Asker(NamedTuple):
    """How to reach the API as whoever asks, and the folder they work in, empty where it is not known."""

    connect: Callable[[], Client]
    cwd: str = ""


class Failed(Exception):
    """The request can't be done; the message is for whoever asked. `missing` says that there is no such thing."""

    def __init__(self, message: str, *, missing: bool = False) -> None:
        self.missing = missing
        super().__init__(message)


current: ContextVar[Asker] = ContextVar("current")


@contextmanager
def asking() -> Iterator[Client]:
    """A client for one call. Raises Failed for whatever the API refuses."""
    try:
        client = current.get().connect()
    except (NotLoggedIn, BadAddress) as error:
        raise Failed(str(error)) from error
    try:
        yield client
    except Refused as refused:
        raise Failed(f"{refused} ({refused.code or refused.status})", missing=refused.status in GONE) from refused
    except Away as away:
        raise Failed(f"Continuity does not answer: {away}. Try again later.") from away
    finally:
        client.close()


def conversation_of(client: Client, wanted: str, cwd: str) -> str:
    """The conversation named, else the latest of the folder. Raises Failed."""
    if wanted:
        return wanted
    folder = cwd or current.get().cwd
    if not folder:
        raise Failed("Say which conversation: give `conversation` or `cwd`.")
    here = client.conversations(cwd=folder, limit=1) or client.conversations(within=folder, limit=1)
    if not here:
        raise Failed(f"No conversation of {folder} is recorded.", missing=True)
    return here[0]["id"]


def handoff_of(client: Client, wanted: str, cwd: str, *, status: str = "") -> str:
    """The handoff named, else the latest of the folder or below it. Raises Failed."""
    if wanted:
        return wanted
    folder = cwd or current.get().cwd
    if not folder:
        raise Failed("Say which handoff: give `handoff` or `cwd`.")
    found = client.handoffs(status=status, cwd=folder, limit=1) or client.handoffs(status=status, within=folder, limit=1)
    if not found:
        raise Failed(f"There is no {f'{status} ' if status else ''}handoff of {folder}.", missing=True)
    return found[0]["id"]
