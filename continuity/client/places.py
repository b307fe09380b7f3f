"""The client's files (light/files.py), for whoever works with paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from continuity.client.light import files
from continuity.client.light.files import key_of

__all__ = ["folder", "home", "key_of", "read_object", "write"]


def home() -> Path:
    return Path(files.home())


def folder(name: str) -> Path:
    return Path(files.folder(name))


def write(path: Path, text: str) -> None:
    """Raises OSError and leaves what was there."""
    files.write(str(path), text)


def read_object(path: Path) -> dict[str, Any]:
    return files.read_object(str(path))
