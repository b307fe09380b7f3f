"""How much of what is known a package is made from, however long the conversation: the bounds that every store keeps to, and the choice
in memory. A database makes the same choice along its indexes (`continuity.services.knowledge.queries`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar

from continuity.knowledge.model import Anchor, AnchorState, FileAction, FileTouch, Task, TaskStatus

ANCHORS = 300  # current ones that are not critical, where a caller names no number
CRITICAL = 500
SUPERSEDED = 20
TASKS = 100
COMPLETED = 20
FILES = 200  # changed
FILES_READ = 50  # of those only read
COUNTED = 2000  # totals are exact up to here; beyond, they are reported as this many

T = TypeVar("T")


def halves(anchors: int) -> tuple[int, int]:
    """How many of so many anchors are the most important, and how many the latest."""
    return anchors // 2, anchors - anchors // 2


def anchors(rows: Iterable[Anchor], found: Mapping[str, int], limit: int) -> list[Anchor]:
    """The critical ones, of the others the `limit` most important and latest, and those superseded last; each once. `found` tells the
    message that said an anchor first."""
    rows = list(rows)
    current = [row for row in rows if row.state is AnchorState.CURRENT]
    others = [row for row in current if not row.critical]
    important, latest = halves(limit)
    chosen = [
        *_first([row for row in current if row.critical], CRITICAL, _by_value),
        *_first(others, important, _by_value),
        *_first(others, latest, lambda row: (-found.get(row.key, row.ref.seq), row.key)),
        *_first([row for row in rows if row.state is AnchorState.SUPERSEDED], SUPERSEDED, lambda row: (-(row.settled_seq or 0), row.key)),
    ]
    return list({row.key: row for row in chosen}.values())


def tasks(rows: Iterable[Task]) -> list[Task]:
    """The open ones and those completed last."""
    rows = list(rows)
    done = [row for row in rows if row.status is TaskStatus.COMPLETED]
    left = [row for row in rows if row.status is not TaskStatus.COMPLETED]
    return [*_first(left, TASKS, _by_change), *_first(done, COMPLETED, _by_change)]


def files(rows: Iterable[FileTouch]) -> list[FileTouch]:
    """What was done to files last, and what was read last."""
    rows = list(rows)
    read = [row for row in rows if row.action is FileAction.READ]
    changed = [row for row in rows if row.action is not FileAction.READ]
    return in_order([*_first(changed, FILES, _by_touch), *_first(read, FILES_READ, _by_touch)])


def in_order(rows: Iterable[FileTouch]) -> list[FileTouch]:
    """The touches as they are merged: the latest first."""
    return sorted(rows, key=lambda row: (-row.last_seq, row.path, row.action))


def _first(rows: Iterable[T], limit: int, by: Callable[[T], Any]) -> list[T]:
    return list(islice(sorted(rows, key=by), limit))


def _by_value(row: Anchor) -> tuple[float, int, str]:
    return (-row.importance, -row.ref.seq, row.key)


def _by_change(row: Task) -> tuple[int, str]:
    return (-row.last_seq, row.key)


def _by_touch(row: FileTouch) -> tuple[int, str, str, int]:
    return (-row.last_seq, row.path, row.action, row.epoch)
