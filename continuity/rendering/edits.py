"""What a tool call changes in a file, as lines that go and lines that come, whichever tool it is."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LINES = 120  # of a change that are compared; what is longer goes as a whole and comes as a whole
SHOWN = 400  # lines of one change
CHANGES = 20  # of one call
BEFORE, AFTER = ("old_string", "old_str", "oldString", "old"), ("new_string", "new_str", "newString", "new")
PATHS = ("file_path", "filePath", "path", "absolute_path", "target_file", "notebook_path")
WHOLE = ("content", "file_text", "new_source")
PATCHES = ("input", "patch", "diff", "patchText")
ADD, REMOVE, SAME, PLACE = "+", "-", " ", "@"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: `sign` says whether it comes (`+`), goes (`-`), stays (a space) or names a place (`@`)."""

    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A change of one file; `hidden` counts lines that are not shown."""

    path: str
    lines: Sequence[DiffLine]
    added: int
    removed: int
    hidden: int = 0


def edits_of(given: Any) -> Sequence[FileEdit]:
    """The changes that a call with these arguments makes; empty for one that changes no file in a way we can show."""
    if not isinstance(given, Mapping):
        return []
    patch = next((given[name] for name in PATCHES if isinstance(given.get(name), str) and _is_patch(given[name])), "")
    if patch:
        return [_edit(path, lines) for path, lines in _of_patch(patch)][:CHANGES]
    path = next((given[name] for name in PATHS if isinstance(given.get(name), str)), "")
    if not path:
        return []
    several = given.get("edits")
    changes = [change for change in several if isinstance(change, Mapping)] if isinstance(several, list) else [given]
    pairs = [pair for change in changes[:CHANGES] if (pair := _pair(change)) is not None]
    if pairs:
        return [_edit(path, compared(before, after)) for before, after in pairs]
    whole = next((given[name] for name in WHOLE if isinstance(given.get(name), str)), None)
    return [] if whole is None else [_edit(path, [DiffLine(ADD, line) for line in whole.splitlines()])]


def compared(before: str, after: str) -> list[DiffLine]:
    """The lines of both: those that go before those that come, at each place."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > LINES:
        return [*(DiffLine(REMOVE, line) for line in old), *(DiffLine(ADD, line) for line in new)]
    found: list[DiffLine] = []
    for kind, at, to, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            found += [DiffLine(SAME, line) for line in old[at:to]]
        else:
            found += [*(DiffLine(REMOVE, line) for line in old[at:to]), *(DiffLine(ADD, line) for line in new[start:end])]
    return found


def _pair(change: Mapping[str, Any]) -> tuple[str, str] | None:
    before = next((change[name] for name in BEFORE if isinstance(change.get(name), str)), None)
    after = next((change[name] for name in AFTER if isinstance(change.get(name), str)), None)
    return None if before is None or after is None else (before, after)


def _edit(path: str, lines: Sequence[DiffLine]) -> FileEdit:
    added, removed = (sum(line.sign == sign for line in lines) for sign in (ADD, REMOVE))
    return FileEdit(path, lines[:SHOWN], added, removed, max(0, len(lines) - SHOWN))


def _is_patch(text: str) -> bool:
    return text.startswith(("*** Begin Patch", "--- ", "diff --git "))


def _of_patch(patch: str) -> Iterator[tuple[str, Sequence[DiffLine]]]:
    """The files of a patch, in the form of `apply_patch` or of `diff -u`."""
    path, lines = "", list[DiffLine]()
    for line in patch.splitlines():
        named = _named(line)
        if named is not None:
            if lines:
                yield path, lines
            path, lines = named, []
        elif line.startswith("@@"):
            lines += [DiffLine(PLACE, line.strip("@ "))] if line.strip("@ ") else []
        elif line[:1] in (ADD, REMOVE, SAME) and not line.startswith("--- "):
            lines.append(DiffLine(line[0], line[1:]))
    if lines:
        yield path, lines


def _named(line: str) -> str | None:
    for start in ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "):
        if line.startswith(start):
            return line.removeprefix(start).strip()
    return None
