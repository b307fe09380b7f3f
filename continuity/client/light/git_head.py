"""The commit that a folder's HEAD names, read from git's files alone: a recorder looks with each batch, and starts no program for it."""

from __future__ import annotations

import os
import re
import stat

HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
# A folder deeper than this, and a file longer, is not looked at.
DEEPEST, LONGEST = 64, 1 << 22
_REF = re.compile(r"refs/[^\s\\]{1,1000}\Z")


def of(cwd: str) -> str:
    """The commit's whole id; empty where the folder is in no repository, or where that has no commit."""
    place = _git_folder(cwd) if cwd else ""
    if not place:
        return ""
    head = _read(f"{place}/HEAD")
    name = head.removeprefix("ref: ").strip()
    if not head.startswith("ref: "):
        return name if HASH.match(name) else ""
    if not _REF.match(name) or ".." in name:
        return ""
    shared = _read(f"{place}/commondir").strip()
    folders = [place, *([os.path.join(place, shared)] if shared else [])]
    return next((found for folder in folders if (found := _of_ref(folder, name))), "")


def _of_ref(folder: str, name: str) -> str:
    if HASH.match(found := _read(f"{folder}/{name}").strip()):
        return found
    ends = f" {name}"
    packed = next((line for line in _read(f"{folder}/packed-refs").splitlines() if line.endswith(ends)), "")
    return commit if HASH.match(commit := packed.removesuffix(ends)) else ""


def _git_folder(cwd: str) -> str:
    """Where the repository keeps what it knows: `.git` in the folder or one above it, or where that file leads."""
    folder = os.path.abspath(cwd)
    for _ in range(DEEPEST):
        path = os.path.join(folder, ".git")
        if os.path.isdir(path):
            return path
        if os.path.isfile(path):
            led = _read(path).removeprefix("gitdir: ").strip()
            return os.path.join(folder, led) if led else ""
        if folder == "/":
            return ""
        folder = os.path.dirname(folder)
    return ""


def _read(path: str) -> str:
    """Empty where it can't be read, or is no file: a named pipe would hold whoever opens it for ever."""
    try:
        with open(path, encoding="utf-8", errors="replace", opener=_without_waiting) as stream:
            return stream.read(LONGEST) if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else ""
    except (OSError, ValueError):  # a path with a NUL is none
        return ""


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
