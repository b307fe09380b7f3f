"""The memory of a session and of a work tree between two preparations: small files of the user (0600)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from continuity.client import places
from continuity.client.light import packs
from continuity.repository.identity import RepositoryIdentity
from continuity.repository.tree_state import Remembered, TreeState

PROMPTS = 3  # the latest of a session: a follow-up says little by itself
KINDS = ("wished", "ready", "arrived", "sessions")


def session(path: str) -> dict[str, Any]:
    """`prompts`, `first_head`, `since` (the commit at which the last delta ended), `epoch`, `diff_lines`, `committed_lines`."""
    return places.read_object(_session(path))


def keep_session(path: str, told: dict[str, Any]) -> None:
    places.write(_session(path), json.dumps(told))


def _session(path: str) -> Path:
    return Path(packs.place("sessions", path))


def tree(cwd: str) -> tuple[Remembered, RepositoryIdentity | None]:
    """The hashes of a work tree's files, and which repository it was; None where that must be found out."""
    told = places.read_object(_tree(cwd))
    try:
        remembered = {str(path): _entry(entry) for path, entry in told.get("files", {}).items()}
        who = told.get("identity") or {}
        known = RepositoryIdentity(tuple(who["roots"]), who["remote"], who["shallow"]) if told.get("config") == _config(cwd) else None
    except (TypeError, ValueError, KeyError, AttributeError):
        return {}, None
    return remembered, known if known is not None and known.roots else None


def keep_tree(cwd: str, standing: TreeState) -> None:
    who = {"roots": standing.identity.roots, "remote": standing.identity.remote, "shallow": standing.identity.shallow}
    told = {"files": standing.remembered, "identity": who, "config": _config(cwd)}
    places.write(_tree(cwd), json.dumps(told))


def _tree(cwd: str) -> Path:
    return Path(packs.place("trees", packs.root_of(cwd)))


def _entry(entry: Any) -> tuple[int, int, int, int, str]:
    size, changed, noted, inode, digest = entry
    return int(size), int(changed), int(noted), int(inode), str(digest)


def _config(cwd: str) -> list[int]:
    """A stamp of git's configuration, by which it shows that a remote was changed."""
    try:
        told = (Path(packs.root_of(cwd)) / ".git" / "config").stat()
    except OSError:
        return []
    return [told.st_size, told.st_mtime_ns]


def forget(path: str) -> None:
    """Everything of one session."""
    for kind in KINDS:
        Path(packs.place(kind, path)).unlink(missing_ok=True)


def forget_all() -> None:
    """All words that are kept here, of every session."""
    for kind in KINDS:
        for entry in places.folder(f"packs/{kind}").glob("*.json"):
            entry.unlink(missing_ok=True)


def forget_old() -> None:
    """Deletes what was not used for long."""
    now = time.time()
    for kind in KINDS:
        for entry in places.folder(f"packs/{kind}").glob("*.json"):
            try:
                if now - entry.stat().st_mtime > packs.OLD_SECONDS:
                    entry.unlink(missing_ok=True)
            except OSError:
                continue
