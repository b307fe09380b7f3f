"""The changes of a tool call in a file, as lines that go and lines that come, whichever tool it is."""

from __future__ import annotations

import difflib
import re
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
# How a file begins in a patch of `apply_patch`, and what is said of one without lines.
UNCHANGED = "no line changed"
FILES = {"*** Update File: ": UNCHANGED, "*** Add File: ": "new and empty", "*** Delete File: ": "deleted"}
MOVED, END = "*** Move to: ", "*** End Patch"
WITHOUT_LINES = {"deleted file": "deleted", "new file": "new and empty", "rename to ": "moved here", "Binary files": "not text"}
HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


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
    """The files of a patch, in the form of `apply_patch` or of `diff -u`; one that changes no line of a file says what it does with it."""
    return _of_apply_patch(patch.splitlines()) if patch.startswith("*** ") else _of_unified(patch.splitlines())


def _of_apply_patch(written: Sequence[str]) -> Iterator[tuple[str, Sequence[DiffLine]]]:
    path, what, lines = "", "", list[DiffLine]()
    for line in [*written, END]:
        named = next((start for start in FILES if line.startswith(start)), "")
        if named or line == END:
            if path:
                yield path, lines or [DiffLine(PLACE, what)]
            path, what, lines = line.removeprefix(named).strip() if named else "", FILES.get(named, ""), []
        elif line.startswith(MOVED):
            lines.append(DiffLine(PLACE, f"moved to {line.removeprefix(MOVED).strip()}"))
        elif line.startswith("@@"):
            lines += _place(line)
        elif line[:1] in (ADD, REMOVE, SAME):
            lines.append(DiffLine(line[0], line[1:]))


def _of_unified(written: Sequence[str]) -> Iterator[tuple[str, Sequence[DiffLine]]]:
    """`left` are the lines of the old and the new text that a hunk still has: what looks like a file's header is none there."""
    path, what, lines, left = "", UNCHANGED, list[DiffLine](), (0, 0)
    for number, line in enumerate(written):
        begins = line.startswith("diff --git ")
        if begins or _is_header(written[number : number + 3], left):
            if path and (lines or begins):
                yield path, lines or [DiffLine(PLACE, what)]
            what = UNCHANGED if begins or lines else what
            path, lines, left = line.rpartition(" b/")[2] if begins else _file(line, written[number + 1]), [], (0, 0)
        elif found := HUNK.match(line):
            left = int(found[1] or 1), int(found[2] or 1)
            lines += _place(line)
        elif line.startswith("@@"):
            lines += _place(line)
        elif line.startswith("+++ ") and not lines and not any(left):
            continue  # The second line of the header.
        elif line[:1] in (ADD, REMOVE, SAME) and path and (any(left) or lines or line[:1] != SAME):
            lines.append(DiffLine(line[0], line[1:]))
            left = max(0, left[0] - (line[0] != ADD)), max(0, left[1] - (line[0] != REMOVE))
        elif not line and all(left):  # Whoever wrote it left out the space of an empty line.
            lines.append(DiffLine(SAME, ""))
            left = left[0] - 1, left[1] - 1
        elif not any(left):
            what = next((words for start, words in WITHOUT_LINES.items() if line.startswith(start)), what)
    if path:
        yield path, lines or [DiffLine(PLACE, what)]


def _is_header(three: Sequence[str], left: tuple[int, int]) -> bool:
    """Whether the first of these lines begins a file. In a hunk that has lines left it may be a removed line that begins with `-- `; it is
    one unless a hunk follows and the count was wrong."""
    if not three[0].startswith("--- ") or len(three) < 2 or not three[1].startswith("+++ "):
        return False
    return not any(left) or (left != (1, 1) and len(three) > 2 and HUNK.match(three[2]) is not None)


def _file(before: str, after: str) -> str:
    """The file's name by the two lines of its header; of one that is deleted the name that it had."""
    old, new = before.removeprefix("--- ").partition("\t")[0].strip(), after.removeprefix("+++ ").partition("\t")[0].strip()
    return old.removeprefix("a/") if new == "/dev/null" else new.removeprefix("b/")


def _place(line: str) -> list[DiffLine]:
    words = line.strip("@ ")
    return [DiffLine(PLACE, words)] if words else []
