"""Files named in patches: the apply_patch envelope and unified diffs."""

from __future__ import annotations

import re

from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect

_ENVELOPE = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)[ \t\r]*$", re.M)
_ACTIONS = {"Add File": FileAction.CREATED, "Update File": FileAction.MODIFIED, "Delete File": FileAction.DELETED}
_SIDES = re.compile(r"^--- (?P<old>\S+)[^\n]*\n\+\+\+ (?P<new>\S+)", re.M)


def patched(text: str) -> list[Effect]:
    """Effects of an `apply_patch` text in order; an update with `Move to` is a rename."""
    found: list[Effect] = []
    for match in _ENVELOPE.finditer(text):
        kind, path = match.groups()
        if kind == "Move to":
            if found and found[-1].action is FileAction.MODIFIED:
                found[-1] = Effect(FileAction.RENAMED, path, found[-1].path)
            continue
        found.append(Effect(_ACTIONS[kind], path))
    return found


def unified(text: str) -> list[Effect]:
    """Effects of a unified diff in order."""
    found: list[Effect] = []
    for match in _SIDES.finditer(text):
        old, new = (re.sub(r"^[ab]/", "", match[side]) for side in ("old", "new"))
        if old == "/dev/null":
            found.append(Effect(FileAction.CREATED, new))
        elif new == "/dev/null":
            found.append(Effect(FileAction.DELETED, old))
        else:
            found.append(Effect(FileAction.MODIFIED, new))
    return found


def lines(start: int, count: int) -> str:
    return f"{start}-{max(start, start + count - 1)}"
