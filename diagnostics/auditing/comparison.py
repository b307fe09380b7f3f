"""Differences between what is stored and what the messages give: keys and numbers, never words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.model import Anchor, AnchorState, FileTouch, Task
from continuity.secrets import mask_text

T = TypeVar("T", Anchor, Task)


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """`of` a kind of row, `what` is wrong with it (missing, extra, changed, outdated), its key, and the message it came from."""

    of: str
    what: str
    key: str
    seq: int


def compare_anchors(again: Mapping[str, Anchor], stored: Mapping[str, Anchor], touched: Collection[str]) -> Iterator[AuditDifference]:
    """Anchors by key; those that people touched, a model proposed or a predecessor handed down are not the messages' doing."""
    yield from _compare("anchor", again, stored, touched, lambda anchor: (anchor.type, anchor.text, anchor.state, anchor.ref))


def compare_tasks(again: Mapping[str, Task], stored: Mapping[str, Task], touched: Collection[str]) -> Iterator[AuditDifference]:
    yield from _compare("task", again, stored, touched, lambda task: (task.description, task.status, task.steps_done, task.steps_left))


def compare_files(again: Iterable[FileTouch], stored: Iterable[FileTouch]) -> Iterator[AuditDifference]:
    """Files by path and action; the key is a digest, since a path is words. Those handed down (seq 0 and less) need no message."""
    mine = {(file.path, file.action.value): file for file in again}
    theirs = {(file.path, file.action.value): file for file in stored}
    for place in sorted(mine.keys() ^ theirs.keys()):
        file = mine.get(place) or theirs[place]
        if file.seq > 0:
            yield AuditDifference("file", "missing" if place in mine else "extra", digest("|".join(place)), file.last_seq)


def compare_package(told: Iterable[Anchor], then: Mapping[str, Anchor], touched: Collection[str]) -> Iterator[AuditDifference]:
    """The anchors of a package against those that the messages gave up to its last one. A package has no secrets, messages may."""
    for anchor in told:
        found = then.get(anchor.key)
        if anchor.key in touched:
            continue
        if found is None or (found.text != anchor.text and mask_text(found.text) != mask_text(anchor.text)):
            yield AuditDifference("package", "extra" if found is None else "changed", anchor.key, anchor.ref.seq)
        elif found.state is not AnchorState.CURRENT:
            yield AuditDifference("package", "outdated", anchor.key, anchor.ref.seq)


def missing_critical(then: Mapping[str, Anchor], held: Collection[str], touched: Collection[str]) -> Iterator[AuditDifference]:
    """Critical anchors that were current then and that the package does not hold."""
    for key, anchor in then.items():
        if anchor.critical and anchor.state is AnchorState.CURRENT and key not in held and key not in touched:
            yield AuditDifference("package", "missing", key, anchor.ref.seq)


def _compare(
    of: str, again: Mapping[str, T], stored: Mapping[str, T], touched: Collection[str], essence: Callable[[T], Hashable]
) -> Iterator[AuditDifference]:
    for key in sorted((again.keys() | stored.keys()) - set(touched)):
        mine, theirs = again.get(key), stored.get(key)
        if mine is None or theirs is None:
            known = mine or theirs
            yield AuditDifference(of, "missing" if theirs is None else "extra", key, _seq(known) if known else 0)
        elif essence(mine) != essence(theirs):
            yield AuditDifference(of, "changed", key, _seq(mine))


def _seq(row: Anchor | Task) -> int:
    return row.ref.seq if isinstance(row, Anchor) else row.seq
