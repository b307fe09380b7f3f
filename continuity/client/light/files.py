"""The client's files: their folder, and writing them whole, readable by their owner only. Paths are texts."""

from __future__ import annotations

import os
from importlib import import_module

from continuity.client.light import fast_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOME = "CONTINUITY_HOME"


def home() -> str:
    """The client's folder, made on first use (0700)."""
    folder = folder_named()
    _make(folder)
    return folder


def folder_named() -> str:
    """CONTINUITY_HOME, else `.continuity` in the user's home; it may not be there yet."""
    return os.environ.get(HOME) or os.path.expanduser("~/.continuity")


def folder(name: str) -> str:
    path = f"{home()}/{name}"
    _make(path)
    return path


def absolute(path: str) -> str:
    """The path as hooks name it, by which what is known of a session's file is found."""
    return os.path.abspath(os.path.expanduser(path))


def key_of(name: str) -> str:
    """A file name for any text."""
    return str(_sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:24])


def read_object(path: str) -> dict[str, Any]:
    """The JSON object in the file; empty where there is none or it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return fast_json.parse_object(stream.read())
    except OSError:
        return {}


def write(path: str, text: str) -> None:
    """Replaces the file's content (0600); whoever reads sees the old or the new. Raises OSError and leaves the old one."""
    folder, _, name = path.rpartition("/")
    fresh = f"{folder}/.{name}.{os.getpid()}"
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(fresh, path)
    except OSError:
        if os.path.exists(fresh):
            os.unlink(fresh)
        raise


def _make(folder: str) -> None:
    if not os.path.isdir(folder):
        os.makedirs(folder, 0o700, exist_ok=True)


def _in_c() -> Any:
    """SHA-256 without OpenSSL, which `hashlib` loads first: the module has another name from Python 3.12 on."""
    for name in ("_sha2", "_sha256"):
        try:
            return import_module(name).sha256
        except ImportError:
            continue
    return import_module("hashlib").sha256


_sha256 = _in_c()
