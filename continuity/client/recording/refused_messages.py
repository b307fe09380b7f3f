"""Messages that the server refused, kept whole on disk (0600) with the reason, until a newer server takes them or a person looks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from continuity.client import places


class RefusedBatch(NamedTuple):
    """A batch (mostly of one message) and why it is here.

    `held` says that a placeholder stands for it on the server; `version` is the version of the server that did not take it.
    """

    path: Path
    session: str
    batch: dict[str, Any]
    reason: str
    correlation_id: str = ""
    version: str = ""
    held: bool = False
    at: float = 0.0

    @property
    def messages(self) -> int:
        return len(self.batch.get("messages", ()))


def keep(session: str, batch: dict[str, Any], reason: str, *, correlation_id: str, version: str, held: bool) -> None:
    """On disk when it returns. The same messages twice are one file. Raises OSError."""
    names = [str(message.get("external_id", "")) for message in batch["messages"]] or batch["abandoned"]
    folder = _folder() / session
    folder.mkdir(mode=0o700, exist_ok=True)
    told = {"batch": batch, "reason": reason, "correlation_id": correlation_id, "version": version, "held": held, "at": time.time()}
    places.write(folder / f"{places.key_of(chr(10).join(names))}.json", json.dumps(told) + "\n")


def everything(session: str = "") -> Iterator[RefusedBatch]:
    """All that is kept, or what is of one session."""
    for path in (each for name in ([session] if session else sessions()) for each in places.documents(_folder() / name)):
        found = places.read_object(path)
        if isinstance(found.get("batch"), dict):
            known = {name: value for name, value in found.items() if name in RefusedBatch._fields and name not in ("path", "session")}
            yield RefusedBatch(path=path, session=path.parent.name, **known)


def sessions() -> list[str]:
    return sorted(path.name for path in _folder().iterdir() if path.is_dir())


def drop(aside: RefusedBatch) -> None:
    """It is with the server now."""
    aside.path.unlink(missing_ok=True)
    try:
        aside.path.parent.rmdir()
    except OSError:
        return  # There is more.


def _folder() -> Path:
    return places.folder("aside")
