"""From rows to knowledge: one row for each path, anchors in order of weight, tasks worth telling. Shared by every store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from continuity.knowledge.anchor_types import REPLACEABLE
from continuity.knowledge.extractors.tools.files import SYMBOLS
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.model import AS_ASKED, Anchor, AnchorState, FileAction, FileTouch, Task, TaskStatus

RECENCY = 0.15  # what the last message adds to an anchor's importance against the first
SUPERSEDED = 20
COMPLETED = 10


def merge_files(touches: Iterable[FileTouch]) -> tuple[FileTouch, ...]:
    """One row for each path, most recently touched first.

    Created and then modified is created; created and then deleted is deleted, and its note says so; a renamed file stands
    under its new path, with the first one as its note; only a path that was never changed is read.
    """
    by_path: dict[str, list[FileTouch]] = {}
    for touch in touches:
        by_path.setdefault(touch.path, []).append(touch)
    renames = {touch.path: touch for rows in by_path.values() for touch in rows if touch.action is FileAction.RENAMED and touch.note}
    for rows in list(by_path.values()):
        for rename in [r for r in rows if r.action is FileAction.RENAMED and r.note in by_path]:
            _fold_source(by_path, rename)
    merged = [rows[0] if len(rows) == 1 else _merged(rows) for rows in by_path.values() if rows]
    merged = [replace(file, note=_first_path(file, renames)) if file.action is FileAction.RENAMED else file for file in merged]
    return tuple(sorted(merged, key=lambda f: (-f.last_seq, f.path)))


def _first_path(file: FileTouch, renames: Mapping[str, FileTouch]) -> str:
    """The path that a file had before the first of the renames that led to it, or the last one where they lead in a circle."""
    path, passed = file.note, {file.path}
    while path not in passed and (earlier := renames.get(path)) is not None and earlier.seq <= file.last_seq:
        passed.add(path)
        path = earlier.note
    return file.note if path in passed else path


def _fold_source(by_path: dict[str, list[FileTouch]], rename: FileTouch) -> None:
    """What happened to the old path before the rename belongs to the new one."""
    source = by_path[rename.note]
    before = [row for row in source if row.seq <= rename.seq]
    by_path[rename.note] = [row for row in source if row.seq > rename.seq]
    if any(row.action is FileAction.CREATED for row in before):
        by_path[rename.path].append(
            replace(min(before, key=lambda r: r.seq), path=rename.path, action=FileAction.CREATED, last_seq=min(r.seq for r in before))
        )


def _merged(rows: list[FileTouch]) -> FileTouch:
    changes = [row for row in rows if row.action is not FileAction.READ] or rows
    first = min(changes, key=lambda r: r.seq)
    last = max(changes, key=lambda r: (r.last_seq, r.action is FileAction.DELETED))
    created = any(row.action is FileAction.CREATED for row in changes)
    renamed = next((row for row in changes if row.action is FileAction.RENAMED), None)
    if last.action is FileAction.DELETED:
        action, note = FileAction.DELETED, "created here" if created else last.note
    elif renamed is not None and not created:
        action, note = FileAction.RENAMED, renamed.note
    elif created:
        action, note = FileAction.CREATED, f"renamed from {renamed.note}" if renamed else _latest_note(changes)
    else:
        action, note = last.action, _latest_note(changes)
    names = tuple(dict.fromkeys(name for row in sorted(changes, key=lambda r: r.last_seq) for name in row.symbols))
    return FileTouch(first.path, action, first.seq, last.last_seq, last.epoch, sum(row.count for row in changes), note, names[-SYMBOLS:])


def _latest_note(rows: list[FileTouch]) -> str:
    return next((row.note for row in sorted(rows, key=lambda r: -r.last_seq) if row.note), "")


def weight(anchor: Anchor, through_seq: int) -> float:
    """An anchor's importance with its recency bonus: base + 0.15 × position."""
    position = anchor.ref.seq / through_seq if through_seq > 0 else 1.0
    return anchor.importance + RECENCY * min(1.0, max(0.0, position))


def order_anchors(anchors: Iterable[Anchor], through_seq: int, limit: int | None = None) -> tuple[Anchor, ...]:
    """Anchors by criticality, then weight, then recency; the first `limit` of them."""
    ordered = sorted(anchors, key=lambda a: (not a.critical, -weight(a, through_seq), -a.ref.seq, a.key))
    return tuple(ordered if limit is None else ordered[:limit])


def latest_superseded(anchors: Iterable[Anchor], limit: int = SUPERSEDED) -> tuple[Anchor, ...]:
    """The decisions, rules and corrections superseded last, for what is no longer true."""
    old = [a for a in anchors if a.state is AnchorState.SUPERSEDED and a.type in REPLACEABLE]
    return tuple(sorted(old, key=lambda a: (-(a.settled_seq or 0), a.key))[:limit])


def worth_telling(tasks: Iterable[Task], limit: int = COMPLETED) -> tuple[Task, ...]:
    """All open tasks in the order in which they were named, then the `limit` completed last; words that asked for nothing
    to be done are no work that somebody might do again, and what was dropped was not done."""
    rows = [task for task in tasks if task.status is not TaskStatus.COMPLETED or not (_only_said(task) or _dropped(task))]
    open_ones = sorted((t for t in rows if t.status is not TaskStatus.COMPLETED), key=lambda t: (t.seq, t.key))
    done = sorted((t for t in rows if t.status is TaskStatus.COMPLETED), key=lambda t: (-t.last_seq, t.key))
    return (*open_ones, *done[:limit])


def _dropped(task: Task) -> bool:
    return task.blocking_reason not in ("", AS_ASKED) and not task.steps_done


def _only_said(task: Task) -> bool:
    return task.method == "request" and not is_request(task.description) and not task.steps_done
