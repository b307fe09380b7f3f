"""Which folders are recorded, and each line that excludes one here or beneath, for `continuity status`."""

from __future__ import annotations

import os
from collections import deque
from fnmatch import fnmatchcase
from glob import iglob
from pathlib import Path
from typing import NamedTuple

from continuity.client.light import exclusions
from continuity.client.light.wording import shown_path

# What is beneath is looked through so far: a home folder may hold millions.
DEEPEST, MOST_FOLDERS = 4, 2_000
# Folders of others' files, in which nobody works.
FOREIGN = frozenset({"node_modules", "__pycache__", "site-packages"})


class ExclusionLine(NamedTuple):
    """A line of the file at `path`, empty where the file has none; `idle` where no folder there has that name."""

    path: str
    line: str
    idle: bool

    @property
    def said(self) -> str:
        if self.idle:
            return f"nothing by the line {self.line} of {shown_path(self.path)}: no folder there has that name"
        if not self.line:
            return f"{shown_path(Path(self.path).parent)} and all beneath it ({shown_path(self.path)} is empty)"
        return f"{self.line} ({shown_path(self.path)})"


def is_recording() -> bool:
    """Whether anything is recorded at all."""
    return os.environ.get(exclusions.SWITCH, "") != "off" and not exclusions.paused()


def recorded() -> str:
    """Describes which folders are recorded, before exclusions."""
    if os.environ.get(exclusions.SWITCH, "") == "off":
        return f"nothing: {exclusions.SWITCH} is off"
    if until := exclusions.paused():
        return f"nothing, {until}"
    only = exclusions.only_folders()
    return f"only {', '.join(map(shown_path, only))}" if only else "every folder"


def exclusion_lines(cwd: str) -> list[ExclusionLine]:
    """The lines that count for this folder or one beneath it, file by file from the nearest above on; also those that name no folder."""
    found = []
    for path, folder in [*exclusions.files_above(cwd), *_files_beneath(cwd)]:
        lines = exclusions.lines_of(path)
        if lines is not None and not lines:
            found.append(ExclusionLine(path, "", idle=False))
        for line in lines or ():
            if (idle := _is_idle(folder, line)) or _counts(cwd, folder, line):
                found.append(ExclusionLine(path, line, idle))
    return found


def _is_idle(folder: str, line: str) -> bool:
    # Looking for what may be anywhere below could take for ever.
    if exclusions.ANY_FOLDERS in line.split("/"):
        return False
    name = line.strip("/")
    return not Path(folder, name).is_dir() and not any(iglob(f"{name}/", root_dir=folder, include_hidden=True))  # noqa: PTH207  Path.glob refuses **x


def _counts(cwd: str, folder: str, line: str) -> bool:
    """Whether a line of the file in `folder` may name this folder, one above or one beneath it."""
    named = f"{folder}/{line.strip('/')}"
    below = exclusions.parts_of(cwd.removeprefix(folder)) if cwd.startswith(folder) else []
    return exclusions.is_within(cwd, named) or _meets(below, exclusions.parts_of(line))


def _meets(below: list[str], named: list[str]) -> bool:
    if not below or not named or named[0] == exclusions.ANY_FOLDERS:
        return True
    return (below[0] == named[0] or fnmatchcase(below[0], named[0])) and _meets(below[1:], named[1:])


def _files_beneath(cwd: str) -> list[tuple[str, str]]:
    """Each file that excludes beneath this folder, with the folder where it lies; by no links, and not without end."""
    found, waiting, seen = [], deque([(cwd, 0)]), 0
    while waiting and seen < MOST_FOLDERS:
        folder, depth = waiting.popleft()
        seen += 1
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if depth and any(entry.name == exclusions.IGNORE and entry.is_file() for entry in entries):
            found.append((f"{folder.rstrip('/')}/{exclusions.IGNORE}", folder))
        if depth < DEEPEST:
            waiting.extend((each.path, depth + 1) for each in entries if _is_looked_into(each))
    return found


def _is_looked_into(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".") and entry.name not in FOREIGN
    except OSError:
        return False
