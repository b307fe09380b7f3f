"""Lists of work that tools keep: todo lists, plans, and task tools with ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.evidence import PartState
from continuity.knowledge.extractors.outcomes import work_parts
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.model import Task, TaskStatus
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import tracking
from continuity.transcripts.base.model import Part

_STATUS = {
    "pending": "pending",
    "not_started": "pending",
    "not-started": "pending",
    "todo": "pending",
    "open": "pending",
    "blocked": "pending",
    "in_progress": "in_progress",
    "in-progress": "in_progress",
    "inprogress": "in_progress",
    "active": "in_progress",
    "running": "in_progress",
    "completed": "completed",
    "complete": "completed",
    "done": "completed",
    "finished": "completed",
    "cancelled": "dropped",
    "canceled": "dropped",
    "deleted": "dropped",
}
_PARTS = {
    "pending": PartState.OPEN,
    "in_progress": PartState.IN_PROGRESS,
    "completed": PartState.DONE,
    "dropped": PartState.DROPPED,
}
_BOX = re.compile(r"^[ \t]*(?:(?:[-*]|\d+\.)[ \t]+)?\[([ xX~>-])\][ \t]+(\S.*)$", re.M)
_CREATED = re.compile(r"[Tt]ask #?([\w-]{1,20}) created")


def items(value: Any) -> list[tuple[str, str]]:
    """(text, status) of every entry of a list argument or a markdown checklist; status is pending, in_progress, completed
    or dropped."""
    if isinstance(value, str):
        marks = {" ": "pending", "x": "completed", "X": "completed", "~": "in_progress", ">": "in_progress", "-": "in_progress"}
        return [(text.strip(), marks[box]) for box, text in _BOX.findall(value[:20_000])]
    found = []
    for entry in value if isinstance(value, (list, tuple)) else ():
        if isinstance(entry, Mapping):
            text = tool_names.first(entry, "content", "step", "title", "description", "subject", "text", "task")
            status = _STATUS.get(str(entry.get("status", "pending")).lower(), "pending")
            if text:
                found.append((text, status))
    return found


def listed(step: FoldStep, name: str, arguments: Mapping[str, Any]) -> None:
    """Take over the list that a call of a list tool sets."""
    value = next((arguments[k] for k in ("todos", "plan", "todoList", "items", "tasks", "steps") if arguments.get(k)), None)
    found = [(text, status) for text, status in items(value) if status != "dropped"]
    title = tool_names.first(arguments, "title", "goal") if name != "todo" else ""
    tracking.sync_list(step, found, title, name)
    work_parts.listed(step, found)


def reported(step: FoldStep, part: Part) -> None:
    """Lists in what a result reports beside its text."""
    todos = part.data.get("newTodos")
    if todos:
        tracking.sync_list(step, [(t, s) for t, s in items(todos) if s != "dropped"], "", "todowrite")
    listed_tasks = part.data.get("tasks")
    for entry in listed_tasks if isinstance(listed_tasks, (list, tuple)) else ():
        if isinstance(entry, Mapping) and entry.get("id"):
            _sync(step, str(entry["id"]), entry)


def created(step: FoldStep, part: Part, pending: Pending) -> None:
    """A task tool's new task, known by the id in the result."""
    told = part.data.get("task")
    told = told if isinstance(told, Mapping) else {}
    match = _CREATED.search(part.text[:400])
    tool_id = str(told.get("id") or (match[1] if match else ""))[:40]
    if tool_id and pending.subject and not part.failed:
        work_parts.entered(step, tool_id, pending.subject, wanted=pending.text if pending.text != pending.subject else "")
    description = f"{pending.subject}: {pending.text}" if pending.text and pending.text != pending.subject else pending.subject
    if not pending.subject or part.failed:
        return
    known = tracking.carried(step, pending.subject) or tracking.carried(step, description)
    if known is not None:
        tracking.put(step, replace(known, tool_id=tool_id, last_seq=step.seq, method="taskcreate"))
        return
    key = tracking.key_of(step, "tool", pending.seq, tool_id or pending.subject)
    tracking.put(step, Task(key, one_line(description, 400), TaskStatus.NOT_STARTED, pending.seq, step.seq, "taskcreate", tool_id=tool_id))


def updated(step: FoldStep, arguments: Mapping[str, Any]) -> None:
    """A change that a call of a task tool makes to one task."""
    tool_id = str(arguments.get("taskId") or arguments.get("task_id") or arguments.get("id") or "")
    if tool_id:
        _sync(step, tool_id, arguments)
        state = _PARTS.get(_STATUS.get(str(arguments.get("status", "")).lower(), ""))
        work_parts.entered(step, tool_id, tool_names.first(arguments, "subject", "title"), state=state)


def tracked(step: FoldStep, tool_id: str, told: Mapping[str, Any]) -> None:
    """What a tracker outside of the agent's own tools tells of one task."""
    _sync(step, tool_id, told)


def _sync(step: FoldStep, tool_id: str, told: Mapping[str, Any]) -> None:
    task = tracking.by_tool_id(step, tool_id)
    subject = tool_names.first(told, "subject", "title")
    if task is None:
        if not subject:
            return
        task = Task(
            tracking.key_of(step, "tool", step.seq, tool_id),
            one_line(subject, 400),
            TaskStatus.NOT_STARTED,
            step.seq,
            step.seq,
            "taskcreate",
            tool_id=tool_id[:40],
        )
    elif subject and not task.description.startswith(one_line(subject, 100)):
        task = replace(task, description=one_line(subject, 400))
    blockers = [*_blockers(task), *(str(b) for b in _ids(told.get("addBlockedBy")) or _ids(told.get("blockedBy")))]
    for gone in _ids(told.get("removeBlockedBy")):
        blockers = [b for b in blockers if b != gone]
    status = _STATUS.get(str(told.get("status", "")).lower())
    new = {"completed": TaskStatus.COMPLETED, "dropped": TaskStatus.COMPLETED, "in_progress": TaskStatus.IN_PROGRESS}.get(status or "")
    if new is None:
        new = TaskStatus.NOT_STARTED if status == "pending" or task.status is TaskStatus.BLOCKED else task.status
        if blockers and new is TaskStatus.NOT_STARTED:
            new = TaskStatus.BLOCKED
    reason = "dropped" if status == "dropped" else _because(blockers) if new is TaskStatus.BLOCKED else ""
    tracking.put(step, replace(task, status=new, blocking_reason=reason, last_seq=step.seq))
    if new is TaskStatus.COMPLETED:
        unblock(step, tool_id)


def _ids(value: Any) -> list[str]:
    return [str(v) for v in value] if isinstance(value, (list, tuple)) else []


def _because(blockers: list[str]) -> str:
    return "waits for task " + ", ".join(f"#{b}" for b in dict.fromkeys(blockers))


def _blockers(task: Task) -> list[str]:
    return re.findall(r"#([\w-]+)", task.blocking_reason) if task.status is TaskStatus.BLOCKED else []


def unblock(step: FoldStep, tool_id: str) -> None:
    """Tasks that waited for the one that is finished may begin."""
    for task in step.state.tasks.values():
        blockers = _blockers(task)
        if tool_id in blockers:
            left = [b for b in blockers if b != tool_id]
            status = TaskStatus.BLOCKED if left else TaskStatus.NOT_STARTED
            tracking.put(step, replace(task, status=status, blocking_reason=_because(left) if left else "", last_seq=step.seq))
