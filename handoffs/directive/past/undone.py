"""The work without what was tried and taken back: nobody goes on from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import replace
from typing import TypeVar

from continuity.knowledge.evidence import ChangedFile, CodeEdit
from continuity.knowledge.model import FileAction, FileTouch, Knowledge, Request, RequestStep
from continuity.knowledge.requests.ledger import in_work
from handoffs.directive.lines.quoting import as_name

UNDONE = "tried and undone: "
NAMED = 4
Changed = TypeVar("Changed", ChangedFile, CodeEdit)


def without_undone(knowledge: Knowledge) -> Knowledge:
    """Knowledge without files in which later edits took back what earlier ones changed: one line tells those of the request in work."""
    now = knowledge.situation
    if not now.undone:
        return knowledge
    paths = frozenset(now.undone)
    net = replace(
        now,
        changed=_others(now.changed, paths),
        edits=_others(now.edits, paths),
        sketches=_others(now.sketches, paths),
        hunks=_others(now.hunks, paths),
        undone=tuple(path for path in now.undone if any(path in row.files for row in in_work(knowledge.requests))),
    )
    files = tuple(file for file in knowledge.files if not _is_changed(file, paths))
    over = [said for row in knowledge.requests for step in row.steps if _is_over(step, paths) and (said := step.said.lower())]
    units = tuple(unit for unit in knowledge.carried.units if not _is_said(unit.text, over))
    rows = tuple(_net(row, paths, over) for row in knowledge.requests)
    return replace(knowledge, situation=net, files=files, requests=rows, carried=replace(knowledge.carried, units=units))


def undone_words(paths: Collection[str]) -> str:
    """The files that the request in work tried to change, in a few words."""
    names = list(dict.fromkeys(as_name(path.rsplit("/", 1)[-1]) for path in paths))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{UNDONE}{', '.join(names[:NAMED])}{more}" if names else ""


def _others(found: Iterable[Changed], paths: Collection[str]) -> tuple[Changed, ...]:
    return tuple(each for each in found if each.path not in paths)


def _is_changed(file: FileTouch, paths: Collection[str]) -> bool:
    return file.action is FileAction.MODIFIED and file.path in paths


def _is_over(step: RequestStep, paths: Set[str]) -> bool:
    """Whether nothing is left of all that a step changed."""
    return bool(step.files) and paths >= {*step.files}


def _is_said(text: str, over: Sequence[str]) -> bool:
    words = text.lower()
    return any(said in words or words in said for said in over)


def _net(row: Request, paths: Set[str], over: Sequence[str]) -> Request:
    """A request without steps that changed nothing else, and without what was said with them."""
    told = tuple(quote for quote in row.told if not _is_said(quote.text, over))
    steps = tuple(
        replace(step, files=tuple(path for path in step.files if path not in paths))
        for step in row.steps
        if step.check or not _is_over(step, paths)
    )
    return replace(row, files=tuple(path for path in row.files if path not in paths), steps=steps, told=told)
