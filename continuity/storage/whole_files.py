"""JSON files that are whole or not there at all: written beside their place, and moved there."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from continuity.storage.sessions import DamagedRecord

FILE_MODE, FOLDER_MODE = 0o600, 0o700


def write(path: Path, told: dict[str, Any]) -> None:
    """Puts a file in its place. The caller holds a lock: one name is enough for what is not finished; the next write takes its place."""
    unfinished = path.with_name(f".{path.stem}.unfinished")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(unfinished, flags, FILE_MODE), "wb") as file:
        os.fchmod(file.fileno(), FILE_MODE)
        file.write(json.dumps(told, ensure_ascii=False).encode())
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What was moved into the folder, or removed from it, outlasts a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def stat_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def changed_at(found: os.stat_result) -> datetime:
    return datetime.fromtimestamp(found.st_mtime, UTC)


def read(path: Path) -> dict[str, Any] | None:
    """The object that a file holds; None where there is none. Raises DamagedRecord."""
    try:
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"{path.name} can't be read") from error
    if not isinstance(told, dict):
        raise DamagedRecord(f"{path.name} can't be read")
    return told
