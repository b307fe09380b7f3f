"""Alerts on disk, from when they are raised until they are stored: the store is what they are about, and the process may end first."""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import FileIO
from pathlib import Path
from uuid import UUID

from diagnostics.alerting.saves import Raised, Rule

logger = logging.getLogger("continuity.alerts")


class Waiting:
    """The alerts that wait in a file; every process with the same folder may add to it and take from it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, raised: Sequence[Raised]) -> None:
        """Adds alerts; they are on the disk when this returns. Raises OSError."""
        # The break comes first, so that a line that was cut off costs itself only.
        lines = "".join("\n" + json.dumps(_as_json(alert)) for alert in raised)
        with self._locked() as file:
            file.seek(0, os.SEEK_END)
            file.write(lines.encode())
            os.fsync(file.fileno())

    @contextmanager
    def taken(self) -> Iterator[Sequence[Raised]]:
        """All that wait; they are forgotten when the block ends well, so that ending in between repeats them."""
        if not self._path.exists():
            yield []
            return
        with self._locked() as file:
            yield _read(file.read())
            file.truncate(0)

    @contextmanager
    def _locked(self) -> Iterator[FileIO]:
        with FileIO(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file


def _read(content: bytes) -> list[Raised]:
    found = []
    for line in filter(None, content.splitlines()):
        try:
            found.append(_from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            logger.warning("A line of the waiting alerts can't be read; it is left out")
    return found


def _as_json(alert: Raised) -> dict[str, str | int]:
    return {
        "id": str(alert.id),
        "rule": alert.rule.value,
        "session": alert.session,
        "message": alert.message,
        "retries": alert.retries,
        "since": alert.since.isoformat(),
        "at": alert.at.isoformat(),
    }


def _from_json(raw: dict[str, str]) -> Raised:
    times = datetime.fromisoformat(raw["since"]), datetime.fromisoformat(raw["at"])
    return Raised(Rule(raw["rule"]), raw["session"], raw["message"], int(raw["retries"]), *times, UUID(raw["id"]))
