"""Reading a repository's state from a folder, with git or without, whatever is in it."""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from continuity.repository.git import Git
from continuity.repository.history import commits
from continuity.repository.identity import identity
from continuity.repository.limits import DEFAULT, Limits
from continuity.repository.state import RepositoryFile, RepositoryState

# Folders that hold no one's own words, where no git says what is ignored.
NOT_OWN = frozenset({"node_modules", "__pycache__", "venv", "vendor", "target", "dist", "build", "site-packages"})
SUBMODULE, LINK = "160000", "120000"


def read_state(folder: Path, limits: Limits = DEFAULT) -> tuple[Path, RepositoryState]:
    """The root of the work tree that `folder` lies in (itself without git), and the state of it."""
    root, head, files = read_files(folder, limits)
    if not head:
        return root, RepositoryState(files)
    git = Git(root, limits)
    return root, RepositoryState(files, commits(git), head, identity(git))


def read_files(folder: Path, limits: Limits = DEFAULT) -> tuple[Path, str, dict[str, RepositoryFile]]:
    """The root of the work tree that `folder` lies in, the commit of HEAD (empty without one), and the files that are there."""
    git = Git(folder, limits)
    top = git.read("rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").removesuffix("\n")
    if not top or os.path.realpath(top) != _nearest(folder):
        return folder, "", _existing(folder, _walked(folder, limits), limits)
    root = Path(top)
    git = Git(root, limits)
    return root, git.line("rev-parse", "--verify", "-q", "HEAD^{commit}"), _existing(root, _listed(git), limits)


def _nearest(folder: Path) -> str:
    """The nearest folder at or above this one that has a `.git`: a repository's settings can name any other as its work tree, and would
    have files read that are none of its own."""
    real = Path(os.path.realpath(folder))
    return next((str(each) for each in (real, *real.parents) if os.path.lexists(each / ".git")), "")


def read_text(root: Path, path: str, limits: Limits = DEFAULT) -> str | None:
    """The text of a file below `root`, cut at `limits.file_bytes`; None for what is gone, leads elsewhere, blocks or is no text."""
    raw = read_bytes(root, path, limits.file_bytes)
    return None if raw is None or b"\0" in raw[:8_192] else raw.decode("utf-8", "replace")


def read_bytes(root: Path, path: str, most: int) -> bytes | None:
    """The first bytes of a file below `root`; None for what is gone, leads elsewhere or blocks."""
    try:
        # Opened without following a link and without waiting: a named pipe would hold us for ever.
        with open(os.open(_inside(root, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return None
            return stream.read(most)
    except (OSError, ValueError):
        return None


def _inside(root: Path, path: str) -> str:
    """The file's place. Raises ValueError where a folder of it is a link that leads out of the repository."""
    folder = os.path.realpath(os.path.join(root, os.path.dirname(path)))
    top = os.path.realpath(root)
    if folder != top and not folder.startswith(top + os.sep):
        raise ValueError(path)
    return os.path.join(folder, os.path.basename(path))


def _listed(git: Git) -> Iterator[tuple[str, str]]:
    """Paths with their blob hashes: those that git tracks, and those that it neither tracks nor ignores."""
    for record in git.read("ls-files", "-z", "-s").split(b"\0"):
        fields, _, name = record.partition(b"\t")
        mode, _, rest = fields.decode("ascii", "replace").partition(" ")
        if name and mode not in (SUBMODULE, LINK):
            yield name.decode("utf-8", "surrogateescape"), rest.partition(" ")[0]
    others = git.read("ls-files", "-z", "--others", "--exclude-standard").split(b"\0")
    found = [name for name in others if name and not name.endswith(b"/")]
    for name in sorted(set(found))[: git.limits.untracked]:
        yield name.decode("utf-8", "surrogateescape"), ""


def _walked(folder: Path, limits: Limits) -> Iterator[tuple[str, str]]:
    """Paths of a folder that has no git, breadth first."""
    waiting, seen = deque([""]), 0
    while waiting and seen < limits.folders:
        above = waiting.popleft()
        seen += 1
        try:
            with os.scandir(os.path.join(folder, above)) as entries:
                found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        except OSError:
            continue
        for name, is_folder in found:
            path = f"{above}/{name}" if above else name
            if is_folder and not name.startswith(".") and name not in NOT_OWN:
                waiting.append(path)
            elif not is_folder:
                yield path, ""


def _existing(root: Path, found: Iterable[tuple[str, str]], limits: Limits) -> dict[str, RepositoryFile]:
    """The paths that are regular files within the repository and whose names are text, in order."""
    files: dict[str, RepositoryFile] = {}
    inside: dict[str, bool] = {}
    for path, blob in found:
        if len(files) >= limits.files:
            break
        above = os.path.dirname(path)
        if above not in inside:
            try:
                inside[above] = bool(_inside(root, path))
            except (OSError, ValueError):
                inside[above] = False
        if not inside[above] or not _printable(path, limits):
            continue
        try:
            told = os.lstat(os.path.join(root, path))
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(told.st_mode):
            files[path] = RepositoryFile(path, blob, told.st_size)
    return dict(sorted(files.items()))


def _printable(path: str, limits: Limits) -> bool:
    """Names go into text that an agent reads: one with a line break or broken encoding could pose as more than a name."""
    return path.isprintable() and len(path.encode("utf-8", "surrogateescape")) <= limits.path_bytes
