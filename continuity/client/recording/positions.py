"""Position in each session file, and the server's last answer about its session; one small file each (0600)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from continuity.client import places

if TYPE_CHECKING:
    from continuity.client import shapes


class FilePosition(NamedTuple):
    """What is known of a session file. `about` opens its conversation; `decision` is the answer to the last append, `handoff` the one that
    waited to be resumed then, however it was made."""

    path: str
    format: str = ""
    offset: int = 0
    mark: str = ""
    session: str = ""
    about: dict[str, Any] = {}
    conversation: str = ""
    decision: dict[str, Any] = {}
    handoff: str = ""


def file_of(path: Path) -> Path:
    return places.folder("files") / f"{places.key_of(str(path))}.json"


def load(path: Path) -> FilePosition:
    stored = places.read_object(file_of(path))
    return FilePosition(str(path))._replace(**{name: value for name, value in stored.items() if name in FilePosition._fields})


def save(known: FilePosition) -> None:
    """Raises OSError where the disk is full; then the file is read again from where it was saved last."""
    places.write(file_of(Path(known.path)), json.dumps(known._asdict()) + "\n")


def answered(known: FilePosition, answer: shapes.AppendAnswer) -> FilePosition:
    """Adds the server's last answer about the session."""
    handoff = str(answer.get("ready_handoff_id") or answer.get("handoff_id") or "")
    return known._replace(conversation=answer["conversation_id"], decision=dict(answer["decision"]), handoff=handoff)


def note_handoff(conversation: str, handoff: str) -> None:
    """Notes that a handoff of the conversation is ready, for its tool's window: the recorder hears of it with its next answer. Raises
    OSError.

    Where both write at once one of them is kept: what the recorder then reads again still stands once.
    """
    for known in everything():
        if known.conversation == conversation:
            save(known._replace(handoff=handoff))


def everything() -> list[FilePosition]:
    found = [places.read_object(path) for path in sorted(places.folder("files").glob("*.json"))]
    return [load(Path(stored["path"])) for stored in found if stored.get("path")]
