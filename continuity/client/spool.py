"""What could not be sent yet, on disk: one file a batch (0600), in order, within a bound. What was kept first is never dropped."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from continuity.client import places

LIMIT = "CONTINUITY_SPOOL_MB"
DEFAULT_LIMIT_MB = 256


class Full(Exception):
    """The spool holds as much as it may, or the disk does; nothing was added."""


class Spool:
    """The batches of all sessions, each session's in a folder of its own. Several processes may use it at once."""

    def __init__(self, folder: Path | None = None, limit: int | None = None) -> None:
        self._folder = folder or places.folder("spool")
        self._limit = limit if limit is not None else int(os.environ.get(LIMIT) or DEFAULT_LIMIT_MB) * 2**20

    def add(self, session: str, batch: dict[str, Any]) -> None:
        """Keeps a batch behind the session's others. On disk when it returns. Raises Full."""
        text = json.dumps(batch, separators=(",", ":"))
        if self.size() + len(text) > self._limit:
            raise Full(f"{self._limit // 2**20:,} MB")
        try:
            folder = self._folder / session
            folder.mkdir(mode=0o700, exist_ok=True)
            draft = folder / f".{os.getpid()}"
            places.write(draft, text)
            self._place(draft, folder)
        except OSError as error:
            raise Full(error.strerror or str(error)) from error

    def _place(self, draft: Path, folder: Path) -> None:
        """Gives the batch the next number; a link is made whole or not at all, and never over another process's."""
        number = max((int(path.stem) for path in folder.glob("*.json")), default=0)
        while True:
            number += 1
            try:
                (folder / f"{number:012}.json").hardlink_to(draft)
                break
            except FileExistsError:
                continue
        draft.unlink()

    def pending(self, session: str) -> list[Path]:
        return sorted((self._folder / session).glob("*.json"))

    def sessions(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir() if path.is_dir() and any(path.glob("*.json")))

    def count(self) -> int:
        return sum(len(self.pending(session)) for session in self.sessions())

    def size(self) -> int:
        """Bytes."""
        total = 0
        for path in self._folder.glob("*/*.json"):
            try:
                total += path.stat().st_size
            except FileNotFoundError:
                continue  # Sent by another process meanwhile.
        return total

    def set_aside(self, path: Path) -> None:
        """Keeps what the server will never take out of the way, for a person to look at."""
        aside = self._folder / path.parent.name / "refused"
        aside.mkdir(mode=0o700, exist_ok=True)
        shutil.move(path, aside / path.name)

    def tidy(self, session: str) -> None:
        """Removes what a process that was killed left half written; one that writes now will write again."""
        for path in (self._folder / session).glob(".*"):
            if path.name != ".lock":
                path.unlink(missing_ok=True)

    def refused(self) -> int:
        return sum(1 for _ in self._folder.glob("*/refused/*.json"))

    @contextmanager
    def sending(self, session: str) -> Iterator[bool]:
        """Whether this process is the one that sends the session's batches now."""
        folder = self._folder / session
        if not folder.is_dir():
            yield True
            return
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        finally:
            os.close(handle)
