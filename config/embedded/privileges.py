"""Whom the embedded servers run as: Postgres refuses root, so a root supervisor gives its rights up for them."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from config.embedded import exec_as
from config.embedded.errors import StartError


@dataclass(frozen=True)
class Privileges:
    """The user that a child runs as: `keep`, `uid:gid`, or `namespace`.

    In a namespace the process keeps its real user, so it still reaches what only that user may enter, while it sees itself as
    nobody and holds no rights outside.
    """

    user: str = exec_as.KEEP

    def wrap(self, command: Sequence[str | Path], death_signal: int) -> list[str]:
        """Return the command line that runs `command` so, and signals it when this process ends."""
        before = [sys.executable, "-I", "-S", exec_as.__file__, self.user, str(int(death_signal)), str(os.getpid())]
        return [*before, *(str(part) for part in command)]

    def own(self, folder: Path) -> None:
        """Make a folder and all in it belong to the child's user; no work when it already does."""
        if os.geteuid() != 0:
            return
        uid, gid = (int(part) for part in self.user.split(":")) if ":" in self.user else (0, 0)
        if folder.stat().st_uid == uid:
            return
        for path in (*folder.rglob("*"), folder):
            os.chown(path, uid, gid, follow_symlinks=False)


def choose(data_dir: Path, needed: Iterable[Path]) -> Privileges:
    """Pick the least change that lets a server reach its data and the `needed` files.

    Raises StartError where root can neither become nobody nor open a namespace.
    """
    if os.geteuid() != 0:
        return _as_ordinary_user()
    blocked = next((folder for path in (data_dir / "postgres", *needed) if (folder := _untraversable(path))), None)
    if blocked is None:
        try:
            nobody = pwd.getpwnam("nobody")
            return Privileges(f"{nobody.pw_uid}:{nobody.pw_gid}")
        except KeyError:
            return Privileges(f"{exec_as.NOBODY}:{exec_as.NOBODY}")
    if _namespaces_work():
        return Privileges(exec_as.NAMESPACE)
    raise StartError(
        f"Postgres will not run as root, and the user nobody cannot enter {blocked}: run as an ordinary user,"
        " or set CONTINUITY_DATA_DIR to a folder that every user may enter"
    )


def _as_ordinary_user() -> Privileges:
    """Stay who we are; initdb wants a user with a name, which a container's arbitrary uid has not."""
    try:
        pwd.getpwuid(os.geteuid())
        return Privileges()
    except KeyError:
        if _namespaces_work():
            return Privileges(exec_as.NAMESPACE)
    raise StartError(f"Postgres needs a user with a name, and user id {os.geteuid()} has none: run as another user, or set DATABASE_URL")


def _untraversable(path: Path) -> Path | None:
    """Return the first existing folder above `path` that other users may not enter."""
    for folder in reversed(path.absolute().parents):
        try:
            if not folder.stat().st_mode & stat.S_IXOTH:
                return folder
        except FileNotFoundError:
            return None
    return None


def _namespaces_work() -> bool:
    nothing = shutil.which("true") or "/bin/true"
    tried = subprocess.run(Privileges(exec_as.NAMESPACE).wrap([nothing], 9), stderr=subprocess.DEVNULL, check=False)
    return tried.returncode == 0
