"""The client's files (light/files.py), for whoever works with paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from continuity.client.light import files
from continuity.client.light.files import key_of

__all__ = ["documents", "folder", "home", "key_of", "read_object", "write"]


def home() -> Path:
    return Path(files.home())


def folder(name: str) -> Path:
    return Path(files.folder(name))


def write(path: Path, text: str) -> None:
    """Raises OSError and leaves what was there."""
    files.write(str(path), text)


def read_object(path: Path) -> dict[str, Any]:
    return files.read_object(str(path))


def documents(folder: Path) -> list[Path]:
    """The JSON files of a folder by name; none where the folder is gone, which others may remove at any moment."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json" and not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
