"""The tasks and files of a directive."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.anchors.keys import digest, normal
from continuity.knowledge.directive_parser import values
from continuity.knowledge.directive_parser.grammar import CLIP, SectionKind
from continuity.knowledge.directive_parser.lines import Entry
from continuity.knowledge.extractors.tools import files
from continuity.knowledge.language.clip import clip, one_line
from continuity.knowledge.model import FileAction, Task, TaskStatus
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import tracking

CARRIED = "carried"
_REQUEST = "request"
_UNCOMMITTED = frozenset(("uncommitted", "unknown"))
_PRESENCE = {FileAction.DELETED: "gone", FileAction.READ: "read"}


def enter_tasks(step: FoldStep, entries: list[Entry], *, leads: bool) -> None:
    """Enter the tasks that the lines tell or name as held, but for those that the session knows already.

    One in the words of the latest request is that request, so that the next answer settles it as usual.
    """
    for entry in entries:
        if entry.kind is SectionKind.TASKS and entry.label == "open":
            _enter(step, entry, values.task(entry.text), leads=leads)
        elif entry.kind is SectionKind.TASKS and entry.label == "done":
            _enter(step, entry, values.finished(entry.text), leads=leads)
        for source in entry.held:
            status = values.status_named(source.status)
            if source.id.startswith("t") and status is not None:
                _enter(step, entry, values.ToldTask(entry.text, status), leads=leads)


def _enter(step: FoldStep, entry: Entry, told: values.ToldTask, *, leads: bool) -> None:
    state = step.state
    known = next((t for t in [*state.tasks.values(), *state.closed.values()] if says_the_same(told.description, t.description)), None)
    if known is not None:
        if told.status is TaskStatus.COMPLETED and known.status is not TaskStatus.COMPLETED:
            tracking.put(step, replace(known, status=TaskStatus.COMPLETED, last_seq=step.seq, blocking_reason=""))
        return
    request = state.latest_request
    is_request = leads and request is not None and not told.steps_left and says_the_same(told.description, request.text)
    task = Task(
        # Tasks are told in the order of their keys where one message named them: the order of the lines.
        key=f"{entry.start % 16**6:06x}{digest(f'{CARRIED}|{step.seq}|{entry.start}', 3)}",
        description=one_line(told.description, tracking.CARRIED_DESCRIPTION),
        status=told.status,
        seq=step.seq,
        last_seq=step.seq,
        method=_REQUEST if is_request else CARRIED,
        steps_done=tracking.steps_of(told.steps_done),
        steps_left=tracking.steps_of(told.steps_left),
        blocking_reason=clip(told.blocking_reason, 200),
    )
    tracking.put(step, task)
    if is_request:
        state.request_key = task.key


def says_the_same(told: str, known: str) -> bool:
    """Whether words of a directive are those known; some of its middle may be left out on either side."""
    mine, theirs = normal(told), normal(known)
    if mine == theirs:
        return True
    for short, whole in ((mine, theirs), (theirs, mine)):
        head, mark, tail = short.partition(CLIP)
        if mark and CLIP not in whole and head.strip() and whole.startswith(head.strip()) and whole.endswith(tail.strip()):
            return True
    return False


def enter_files(step: FoldStep, entries: list[Entry]) -> None:
    """Enter the files that the session has not touched itself."""
    for entry in entries:
        if entry.kind is not SectionKind.FILES:
            continue
        if entry.label == "defines":
            files.define(step, values.definitions(entry.text))
            continue
        action = FileAction(entry.label)
        names = values.defined(entry.text)
        for path, other in values.paths(entry.text):
            if not step.state.known.get(digest(path)):
                step.state.known.put(digest(path), _PRESENCE.get(action, "made"))
                files.record(step, path, action, other)
                if names:
                    files.define(step, [(path.rsplit("/", 1)[-1], names)])
    for entry in entries:
        if entry.label in _UNCOMMITTED and entry.kind in (SectionKind.NEXT, SectionKind.STATE):
            _enter_changed(step, entry)


def _enter_changed(step: FoldStep, entry: Entry) -> None:
    """Enter the files that a list of what is not committed names: those of which nothing else is told stand there alone."""
    for path in values.uncommitted(entry.text):
        if not step.state.known.get(digest(path)):
            step.state.known.put(digest(path), "made")
            files.record(step, path, FileAction.MODIFIED, "")
