"""Alerts on disk, from when they are raised until they are stored: the store is what they are about, and the process may end first."""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import FileIO
from pathlib import Path
from uuid import UUID, uuid4

from diagnostics.alerting.rules import AlertRule
from diagnostics.alerting.saves import Raised

logger = logging.getLogger("continuity.alerts")


@dataclass(frozen=True, slots=True)
class TakenAlerts:
    """The alerts that waited, in the order they were raised, and which channels were told of which meanwhile."""

    alerts: Sequence[Raised] = ()
    told: Sequence[tuple[UUID, str]] = ()


class WaitingAlerts:
    """The alerts that wait in a file; every process with the same folder may add to it and take from it.

    Nobody holds the lock while they are stored, which may take as long as the store is away: what is taken has a file of its own.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = path.with_name(f"{path.name}.lock")

    def keep(self, raised: Sequence[Raised]) -> None:
        """Adds alerts; they are on the disk when this returns. Raises OSError."""
        self._write([_as_json(alert) for alert in raised])

    def was_told(self, id: UUID, channel: str) -> None:
        """Notes that a channel took an alert, so that whoever stores it tells that channel no more. Raises OSError."""
        self._write([{"id": str(id), "told": channel}])

    def _write(self, rows: Sequence[dict[str, str | int]]) -> None:
        # The break comes first, so that a line that was cut off costs itself only.
        lines = "".join("\n" + json.dumps(row) for row in rows)
        with self._locked(), FileIO(os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as file:
            file.write(lines.encode())
            os.fsync(file.fileno())

    @contextmanager
    def taken(self) -> Iterator[TakenAlerts]:
        """All that wait; they are forgotten when the block ends well, so that ending in between
        repeats them. Two that take at the same time may both get one. Raises OSError."""
        if self._path.exists():
            with self._locked():
                _put_aside(self._path)
        aside = sorted(self._path.parent.glob(f"{self._path.name}.taken-*"))
        found = [each for path in aside for each in _read(path)]
        alerts = sorted((each for each in found if isinstance(each, Raised)), key=lambda alert: alert.at)
        yield TakenAlerts(alerts, [each for each in found if not isinstance(each, Raised)])
        for path in aside:
            path.unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with FileIO(os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _put_aside(path: Path) -> None:
    # Another one may have taken it since it was seen.
    with suppress(FileNotFoundError):
        path.rename(path.with_name(f"{path.name}.taken-{uuid4()}"))


def _read(path: Path) -> list[Raised | tuple[UUID, str]]:
    """The alerts in a file; nothing where another one has stored them meanwhile."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    found: list[Raised | tuple[UUID, str]] = []
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


def _from_json(raw: dict[str, str]) -> Raised | tuple[UUID, str]:
    if "told" in raw:
        return UUID(raw["id"]), raw["told"]
    times = datetime.fromisoformat(raw["since"]), datetime.fromisoformat(raw["at"])
    return Raised(AlertRule(raw["rule"]), raw["session"], raw["message"], int(raw["retries"]), *times, UUID(raw["id"]))
