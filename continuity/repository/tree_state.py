"""Where a repository stands now, without its history: what a hook's preparation asks at each turn, and a digest of all that differs.

The digest is of contents. What was hashed is remembered with the file's size, times and inode, as git's index does; a file that changed in
the second in which it was hashed is hashed again.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from continuity.repository.changes import HASHED_BYTES, HASHED_FILES
from continuity.repository.git import Git
from continuity.repository.identity import RepositoryIdentity, identity
from continuity.repository.limits import DEFAULT, Limits
from continuity.repository.state import RepositoryFile
from continuity.repository.state_reader import read_bytes, read_files

RACY = 1_000_000_000  # nanoseconds
# Of a file: size, times of change in nanoseconds, inode, and the hash of its contents.
Remembered = dict[str, tuple[int, int, int, int, str]]


@dataclass(frozen=True, slots=True)
class TreeState:
    """`changed` is the digest of every file with its contents. `remembered` is what the next look may be given."""

    root: Path
    head: str
    files: Mapping[str, RepositoryFile]
    changed: str
    remembered: Remembered = field(default_factory=dict)
    identity: RepositoryIdentity = field(default_factory=RepositoryIdentity)


def read_tree_state(
    folder: Path, limits: Limits = DEFAULT, *, remembered: Remembered | None = None, known: RepositoryIdentity | None = None
) -> TreeState:
    """`remembered` is of the look before, `known` an identity that still holds."""
    root, head, files = read_files(folder, limits)
    began = time.time_ns()
    kept: Remembered = {}
    made, left, hashed = hashlib.sha256(head.encode()), HASHED_BYTES, 0
    for path, file in files.items():
        told = _stat(root, path)
        if told is None:
            continue
        before = (remembered or {}).get(path)
        if before is not None and before[:4] == told:
            digest = before[4]
        elif hashed < HASHED_FILES and file.size <= left:
            digest = _digest(root, path, file.size)
            hashed, left = hashed + 1, left - file.size
        else:
            digest = ""  # Too many: the file counts by its times alone.
        if digest:
            kept[path] = (*told, digest)
        made.update(f"{path}\0{file.blob}\0{digest or told}\n".encode("utf-8", "surrogateescape"))
    kept = {path: told for path, told in kept.items() if max(told[1], told[2]) < began - RACY}
    who = known if known is not None else identity(Git(root, limits)) if head else RepositoryIdentity()
    return TreeState(root, head, files, made.hexdigest()[:48], kept, who)


def _stat(root: Path, path: str) -> tuple[int, int, int, int] | None:
    try:
        told = os.lstat(f"{root}/{path}")
    except OSError:
        return None
    return told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino


def _digest(root: Path, path: str, size: int) -> str:
    raw = read_bytes(root, path, size + 1)
    return "" if raw is None else hashlib.sha256(raw).hexdigest()[:32]
