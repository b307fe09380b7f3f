"""Finds items of a package about files that changed after it was made. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from handoffs.contract.model import Package, PackageItem, SectionKind
from handoffs.directive.lines.note import LABEL as NOTE_LABEL

_COMMIT = re.compile(r"\b[0-9a-f]{7,40}\b")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A work place: its head commit (hex) and the hash of each file by path; None where a file is not there."""

    head_commit: str = ""
    files: Mapping[str, str | None] = field(default_factory=dict)


def commit_of(package: Package) -> str:
    """The last commit that the package itself knows of; empty where it knows none."""
    for commit in reversed(package.situation.commits):
        if found := _COMMIT.search(commit.text):
            return found.group()
    return ""


def head_moved(before: str, now: str) -> bool | None:
    """Whether the head is another commit; None where one of the two is not known. Short names count for long ones."""
    if not before or not now:
        return None
    return not (now.startswith(before) or before.startswith(now))


def moved_paths(before: Workspace, now: Workspace, cwd: str) -> frozenset[str]:
    """The files, by their path from the working directory, whose hash is known in both places and differs."""
    old = {relative(path, cwd): hash for path, hash in before.files.items()}
    return frozenset(path for given, hash in now.files.items() if (path := relative(given, cwd)) in old and old[path] != hash)


def moved_references(package: Package, moved: frozenset[str]) -> list[str]:
    """The references of the items that are or name a moved file, in their order."""
    if not moved:
        return []
    cwd = package.situation.cwd
    files = {(reference.action.value, relative(reference.path, cwd)) for reference in package.files}
    found = [item.reference for kind, item in _items(package) if item.reference and _speaks_of(kind, item, moved, files)]
    return list(dict.fromkeys(found))


def _speaks_of(kind: SectionKind, item: PackageItem, moved: frozenset[str], files: set[tuple[str, str]]) -> bool:
    if kind is SectionKind.FILES and item.label != NOTE_LABEL:
        return any(item.text == path or item.text.startswith(f"{path} →") for path in moved)
    return any(re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])", item.text) for path in moved for name in _names(path, files))


def _names(path: str, files: set[tuple[str, str]]) -> Sequence[str]:
    """The names that a text may call a file by: its path, and its last part where that is no other file's."""
    last = posixpath.basename(path)
    alone = sum(posixpath.basename(other) == last for _, other in files) <= 1
    return (path, last) if alone and "." in last else (path,)


def relative(path: str, cwd: str) -> str:
    """The path from the working directory, where it lies in it."""
    root = cwd.rstrip("/") + "/"
    return posixpath.normpath(path.removeprefix(root) if cwd and cwd != "/" else path)


def _items(package: Package) -> list[tuple[SectionKind, PackageItem]]:
    return [(section.kind, item) for section in package.sections for item in section.items]
