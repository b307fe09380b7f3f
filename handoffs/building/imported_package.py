"""A package that came from elsewhere: within bounds, checked again, and as the knowledge of a conversation that goes on from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from continuity.core.note_parts import MOST as MOST_STATEMENTS
from continuity.core.note_parts import PARTS
from continuity.knowledge import FoldState, fold
from continuity.knowledge.anchors.keys import normal
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.model import AnchorFound, Change, FileTouched, Knowledge, Ref, TaskChanged
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.open_items import OpenAnchor
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.contract.model import Expectation, FidelityReport, Package, Prepared, Style
from handoffs.directive.directive import render
from handoffs.directive.lines.tasks import open_tasks
from handoffs.fidelity.expectation import known_state
from handoffs.fidelity.scores import validate

KEY, PATH, LONGEST, STATEMENT = 24, 1000, 100_000, 2000
MOST = 2**31 - 1
MOST_TOKENS = 10**12

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Arrival:
    """`prepared` is the package with its check; `changes` and `state` are what it tells, before the first message of a conversation."""

    prepared: Prepared
    changes: tuple[Change, ...]
    state: FoldState


def arrive(package: Package, attested: FidelityReport | None) -> Arrival:
    """The package as this installation stores it. Its text is rendered anew and has to state all that it carries; a check that
    its maker `attested` counts where it is the stricter one. Raises ValueError naming what exceeds its bounds."""
    _check_bounds(package)
    package = replace(package, through_seq=0)
    text = render(package)
    knowledge = Knowledge(anchors=package.anchors, tasks=package.tasks, files=package.files, situation=package.situation, note=package.note)
    own = _check(package, knowledge, text)
    stricter = attested is not None and (not attested.passes_threshold or own.passes_threshold)
    report = replace(attested, handoff_id=package.handoff_id) if attested and stricter else own
    return Arrival(Prepared(package, text, report, knowledge), _changes(package), _state(package))


def _check(package: Package, knowledge: Knowledge, text: str) -> FidelityReport:
    expectation = Expectation(
        admitted=package.anchors,
        critical=tuple(anchor for anchor in package.anchors if anchor.critical),
        open_tasks=open_tasks(knowledge),
        state=known_state(knowledge),
        current_anchors=len(package.anchors),
    )
    return validate(expectation, text, handoff_id=package.handoff_id, current=package.anchors)


def _changes(package: Package) -> tuple[Change, ...]:
    """The package's knowledge as changes before the first message: its places are in a conversation that is not here."""
    return (
        *(AnchorFound(replace(anchor, ref=Ref(0), settled_seq=None)) for anchor in package.anchors),
        *(TaskChanged(replace(task, seq=0, last_seq=0)) for task in package.tasks),
        *(FileTouched(replace(file, seq=-place, last_seq=-place, epoch=0)) for place, file in enumerate(package.files)),
    )


def _state(package: Package) -> FoldState:
    """The state of a session that began with this directive, with the package's keys: what later words settle is then found."""
    told = Part(PartKind.TEXT, Voice.PERSON, render(package, Style.STRUCTURED))
    now = package.situation
    folded = fold(FoldState(), [(1, Message(Role.USER, (told,), "", cwd=now.cwd, branch=now.branch))])
    state = folded.state
    known = {normal(anchor.text): anchor.key for anchor in package.anchors}
    found = [change.anchor for change in folded.changes if isinstance(change, AnchorFound)]
    keys = {anchor.key: known[normal(anchor.text)] for anchor in found if normal(anchor.text) in known}
    for shelf in (state.open, state.promises, state.questions, state.errors):
        _rekey(shelf, keys)
    tasks = {normal(task.description): task.key for task in package.tasks}
    for name, task in [*state.tasks.items(), *state.closed.items()]:
        shelf_of = state.tasks if state.tasks.get(name) is task else state.closed
        own = tasks.get(normal(task.description), name)
        shelf_of.pop(name)
        shelf_of.put(own, replace(task, key=own))
        if state.plan_key == name:
            state.plan_key = own
        if state.request_key == name:
            state.request_key = own
    return inherited(state)


def _rekey(shelf: BoundedMap[OpenAnchor], keys: dict[str, str]) -> None:
    for name, item in shelf.items():
        if item.key in keys:
            shelf.replace(name, replace(item, key=keys[item.key]))


def _check_bounds(package: Package) -> None:
    options, metadata, plan = package.options, package.metadata, package.plan
    _within("options.budget", options.budget, MIN_BUDGET, MAX_BUDGET)
    _within("options.maxReminderCount", options.max_reminder_count, 0, 100)
    _within("plan.used", plan.used, 0, MOST)
    _within("metadata.originalTokenCount", metadata.original_token_count, 0, MOST_TOKENS)
    _within("metadata.compactedTokenCount", metadata.compacted_token_count, 0, MOST_TOKENS)
    _unique("preservedAnchors", (anchor.key for anchor in package.anchors))
    _unique("unfinishedWork", (task.key for task in package.tasks))
    for anchor in package.anchors:
        _within("preservedAnchors.importance", anchor.importance, 0, 2)
        _short("preservedAnchors", KEY, anchor.key, anchor.superseded_by)
        _short("preservedAnchors", LONGEST, anchor.text, anchor.rationale, anchor.rejected)
    for task in package.tasks:
        _short("unfinishedWork", KEY, task.key)
        _short("unfinishedWork", LONGEST, task.description, task.blocking_reason)
    for file in package.files:
        _within("files.count", file.count, 0, MOST)
        _short("files", PATH, file.path, file.note)
    if package.note:
        _check_note(package.note)


def _check_note(note: CheckedNote) -> None:
    _within("note.statements", len(note.statements), 0, len(PARTS) * MOST_STATEMENTS)
    _within("note.throughSeq", note.through_seq, 0, MOST)
    _unique("note.statements", (statement.key for statement in note.statements))
    for statement in note.statements:
        _short("note.statements", KEY, statement.key)
        _short("note.statements", STATEMENT, statement.text, statement.reason)


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name}: must lie between {least:,} and {most:,}")


def _short(name: str, most: int, *texts: str) -> None:
    if any(len(text) > most for text in texts):
        raise ValueError(f"{name}: holds a text of more than {most:,} characters where no longer one has room")


def _unique(name: str, keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen or not key:
            raise ValueError(f"{name}: every key must be there once")
        seen.add(key)
