"""Where the client keeps its files, and how it writes them: readable by their owner only, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

HOME = "CONTINUITY_HOME"


def home() -> Path:
    """The client's folder, made on first use (0700): CONTINUITY_HOME, else `.continuity` in the user's home."""
    folder = Path(os.environ.get(HOME) or Path.home() / ".continuity")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def folder(name: str) -> Path:
    path = home() / name
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def key_of(name: str) -> str:
    """A file name for any text."""
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def write(path: Path, text: str) -> None:
    """Replaces the file's content (0600); whoever reads sees the old or the new. Raises OSError and leaves the old one."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in the file; empty where there is none or it cannot be read."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
