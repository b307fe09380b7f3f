"""Messages on disk that the server does not have yet: one file a batch (0600), in order, bounded. The oldest are never dropped."""

from __future__ import annotations

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from continuity.client import places

LIMIT = "CONTINUITY_SPOOL_MB"
DEFAULT_LIMIT_MB = 256
LOCK, TROUBLE = ".lock", ".trouble"


class Full(Exception):
    """The spool holds as much as it may, or the disk does; nothing was added."""


class Spool:
    """The batches of all sessions, each session's in a folder of its own, which is there as long as something waits in it.

    Several processes and threads may use it at once.
    """

    def __init__(self, folder: Path | None = None, limit: int | None = None) -> None:
        self.folder = folder or places.folder("spool")
        with suppress(OSError):  # Where it can't be made, adding says so.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._limit = limit if limit is not None else int(os.environ.get(LIMIT) or DEFAULT_LIMIT_MB) * 2**20

    def add(self, session: str, batch: dict[str, Any]) -> None:
        """Keeps a batch behind the session's others. On disk when it returns. Raises Full."""
        text = json.dumps(batch, separators=(",", ":"))
        folder = self.folder / session
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it may have been removed
            if self.size() + len(text) > self._limit:
                raise Full(f"{self._limit // 2**20:,} MB")
            while True:
                folder.mkdir(mode=0o700, exist_ok=True)
                # Whoever sent the last batch may remove the folder in this very moment.
                with suppress(FileNotFoundError):
                    self._place(text, folder)
                    return
        except OSError as error:
            raise Full(error.strerror or str(error)) from error

    def _place(self, text: str, folder: Path) -> None:
        """Gives the batch the next number; a link is made whole or not at all, and never over another process's."""
        draft = folder / f".{os.getpid()}.{threading.get_ident()}"
        places.write(draft, text)
        number = max((int(path.stem) for path in places.documents(folder)), default=0)
        while True:
            number += 1
            try:
                (folder / f"{number:012}.json").hardlink_to(draft)
                break
            except FileExistsError:
                continue
        draft.unlink(missing_ok=True)

    def pending(self, session: str) -> list[Path]:
        return places.documents(self.folder / session)

    def sessions(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir() if places.documents(path))

    def count(self) -> int:
        return sum(len(self.pending(session)) for session in self.sessions())

    def size(self) -> int:
        """Bytes."""
        total = 0
        for folder in self.folder.iterdir():
            for path in places.documents(folder):
                with suppress(FileNotFoundError):  # Sent by another process meanwhile.
                    total += path.stat().st_size
        return total

    def trouble(self, session: str) -> dict[str, Any]:
        """Why the session's first batch waits, and how often the server failed at it; empty where nothing is wrong with it."""
        return places.read_object(self.folder / session / TROUBLE)

    def note_trouble(self, session: str, told: dict[str, Any]) -> None:
        """Kept for the next attempt, whichever process makes it, and for `status`."""
        with suppress(OSError):  # A full disk: then it is counted from the beginning.
            places.write(self.folder / session / TROUBLE, json.dumps(told) + "\n")

    def done(self, path: Path) -> None:
        """The batch is with the server; the sender holds the session's lock."""
        path.unlink(missing_ok=True)
        (path.parent / TROUBLE).unlink(missing_ok=True)

    @contextmanager
    def sending(self, session: str) -> Iterator[bool]:
        """Whether this thread is the one that sends the session's batches now. A folder that is empty afterwards is removed."""
        folder = self.folder / session
        try:
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            yield True
            return
        try:
            if not self._is_locked(handle, folder):
                yield False
                return
            yield True
            self._remove_empty(folder)
        finally:
            os.close(handle)

    def _is_locked(self, handle: int, folder: Path) -> bool:
        """Whether the lock is ours, and still the one that others find."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return os.path.samestat(os.fstat(handle), (folder / LOCK).stat())
        except OSError:
            return False

    def _remove_empty(self, folder: Path) -> None:
        """Also what a process that was killed left half written; one that writes now will write again."""
        if places.documents(folder):
            return
        with suppress(OSError):
            for path in folder.iterdir():
                if path.name.startswith("."):  # A batch may have come in this moment.
                    path.unlink(missing_ok=True)
            folder.rmdir()


def counted(batches: int) -> str:
    """For people."""
    return f"{batches} batch{'' if batches == 1 else 'es'}"
