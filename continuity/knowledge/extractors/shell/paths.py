"""Paths as the conversation knows them: relative to where it began, absolute outside."""

from __future__ import annotations

import posixpath
import re

_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_NO_PATH = re.compile(r"[$*?{}<>|\n\"'`]|^-|^&|^\s*$|^https?://")
# places for scratch files; nothing is written there by us
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/", "/proc/", "/private/tmp/", "/var/folders/")  # noqa: S108
_SCRATCH = re.compile(r"(?:^|/)\.?(?:tmp|temp|scratchpad)/")
_KEPT = re.compile(r"(?:backup|\.bak|\.orig|_orig|\.old)[^/]{0,40}$", re.I)
_TESTS = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)", re.I)
_HOME = re.compile(r"/(?:home|Users)/[^/]+(?=/|$)|/root(?=/|$)")
_PRIVATE = ("/private/tmp/", "/private/var/")
LONGEST = 400


def relative(path: str, cwd: str, root: str) -> str:
    """`path`, as used in `cwd`, relative to `root` where it lies inside it; forward slashes, no `.` or `..`."""
    path = path.strip().removeprefix("file://")[:LONGEST]
    if _DRIVE.match(path) or _DRIVE.match(cwd):
        path, cwd, root = path.replace("\\", "/"), cwd.replace("\\", "/"), root.replace("\\", "/")
        path, cwd, root = (each[:1].upper() + each[1:] if _DRIVE.match(each) else each for each in (path, cwd, root))
    absolute = path.startswith(("/", "~")) or bool(_DRIVE.match(path))
    full = path if absolute or not cwd else posixpath.join(cwd, path)
    full = posixpath.normpath(_at_home(full, root))
    if root and full.startswith(root.rstrip("/") + "/"):
        return full[len(root.rstrip("/")) + 1 :]
    return full


def _at_home(path: str, root: str) -> str:
    """The path with the person's directory for `~`, where the one that the session began in tells it; and without macOS' own prefix."""
    home = _HOME.match(root) if path.startswith("~/") else None
    path = f"{home[0]}{path[1:]}" if home else path
    return path.removeprefix("/private") if path.startswith(_PRIVATE) and not root.startswith("/private/") else path


def is_path(word: str) -> bool:
    """Whether a shell word can be one literal path."""
    return not _NO_PATH.search(word) and word not in (".", "..", "/", "~")


def is_temporary(path: str) -> bool:
    return path.startswith(_TEMPORARY)


def is_scratch(path: str) -> bool:
    """Whether a path lies among temporary files, wherever these are kept, and is no copy kept to go back to."""
    return (is_temporary(path) or _SCRATCH.search(path) is not None) and _KEPT.search(path) is None


def is_test(path: str) -> bool:
    """Whether a file holds tests."""
    return _TESTS.search(path) is not None


def is_document(path: str) -> bool:
    """Whether a file holds words that no check of the code reads."""
    return path.lower().endswith((".md", ".txt", ".rst", ".adoc"))


def join(cwd: str, directory: str) -> str:
    """The working directory after `cd directory`."""
    if not directory or directory.startswith("~") or directory == "-":
        return directory if directory.startswith("~") else cwd
    return posixpath.normpath(posixpath.join(cwd or "", directory)) if cwd or directory.startswith("/") else directory
