"""Our line in a repository's prepare-commit-msg hook: it adds which session a commit came of, and never stands in a commit's way."""

from __future__ import annotations

from pathlib import Path

from continuity.client.light.wording import shown_path
from continuity.client.setup import launching, settings_files
from continuity.client.setup.changes import SettingsChange
from continuity.client.setup.settings_files import Unreadable
from continuity.repository.git import Git

BEGIN, END = "# continuity: begin", "# continuity: end"
NAME = "prepare-commit-msg"
SHELLS = ("sh", "bash", "dash", "zsh", "ksh")


def file_of(folder: Path) -> Path:
    """The hook of the repository of this folder. Raises Unreadable where there is none, or where its hooks are elsewhere by a setting."""
    git = Git(folder)
    place = git.line("rev-parse", "--git-common-dir")
    if not place:
        raise Unreadable(f"{shown_path(folder)} is in no git repository")
    elsewhere = git.line("config", "--get-regexp", r"^core\.hookspath$").partition(" ")[2]
    # Git itself is asked with a setting of its own here; only what the repository's or the user's files say counts.
    if elsewhere and elsewhere != "/dev/null":
        raise Unreadable(f"git looks for hooks in {elsewhere} (core.hooksPath): put the line there yourself: {_line()}")
    return (folder / place).resolve() / "hooks" / NAME


def install(folder: Path) -> SettingsChange:
    """Raises Unreadable."""
    path = file_of(folder)
    before = settings_files.text_of(path)
    first, _, rest = (_without(before) if before else "#!/bin/sh\n").partition("\n")
    if not first.startswith("#!") or first.removeprefix("#!").strip().split("/")[-1].removeprefix("env ") not in SHELLS:
        raise Unreadable(f"{shown_path(path)} is no shell script: call this in it yourself: {_line()}")
    # In front: what is there may end the script.
    return SettingsChange(path, before, f"{first}\n{BEGIN}\n{_line()}\n{END}\n{rest}", remembered=False, executable=True)


def uninstall(folder: Path) -> SettingsChange:
    """Raises Unreadable."""
    path = file_of(folder)
    before = settings_files.text_of(path)
    after = _without(before) if before else before
    return SettingsChange(path, before, None if after is not None and after.strip() == "#!/bin/sh" and BEGIN in (before or "") else after)


def _line() -> str:
    return f'{launching.command("trailer")} "$@" >/dev/null 2>&1 </dev/null || :'


def _without(text: str) -> str:
    before, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(f"{END}\n")
    return before + after if begin and end else text
