"""A change of a tool's settings file: shown before, written after, and taken back to the very file that was there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from continuity.client import places
from continuity.client.setup import settings_files


class SettingsChange(NamedTuple):
    """A settings file before and after; None is no file. `remembered` says that what was there is kept, to be put back, `executable` that
    it is a program."""

    path: Path
    before: str | None
    after: str | None
    remembered: bool = True
    executable: bool = False


def apply(change: SettingsChange, *, remember: bool) -> None:
    """Writes the file; `remember` what was there, so that it can be put back."""
    if remember and change.remembered:
        stored = places.read_object(_memory(change.path))
        first = stored.get("before") if stored.get("after") == change.before and stored else change.before
        places.write(_memory(change.path), json.dumps({"before": first, "after": change.after}))
    else:
        _memory(change.path).unlink(missing_ok=True)
    if change.after is None:
        change.path.unlink(missing_ok=True)
        return
    change.path.parent.mkdir(parents=True, exist_ok=True)
    target = change.path.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    places.write(target, change.after)
    if change.executable:
        target.chmod((mode or 0o644) | 0o111)
    elif mode is not None:
        target.chmod(mode)


def taken_out(path: Path, without: Callable[[str], str], is_ours: Callable[[str | None], bool]) -> SettingsChange:
    """Back to the very file that was there, where nobody changed it since; else `without` what is ours. Raises Unreadable.

    A file that was changed between two installations held ours before the second; that one is no file to go back to.
    """
    now = settings_files.text_of(path)
    stored = places.read_object(_memory(path))
    if stored and stored.get("after") == now and not is_ours(stored.get("before")):
        return SettingsChange(path, now, stored.get("before"))
    return SettingsChange(path, now, without(now) if now is not None else None)


def _memory(path: Path) -> Path:
    return places.folder("installed") / f"{places.key_of(str(path))}.json"
