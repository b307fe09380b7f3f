"""Tasks that people and agents record by hand."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import existing
from continuity.core.transactions import atomic
from continuity.knowledge.model import TaskStatus
from continuity.models import Conversation, Task, Team, User
from continuity.services.events import events
from continuity.services.knowledge import curation
from continuity.services.recording import conversations


@atomic
def add(*, team: Team, conversation_id: UUID, by: User | None, description: str, **details: Any) -> Task:
    """Adds a task that nobody named before; `details` are fields of it. Raises NotFound, SessionInvalidated, SessionExpired."""
    conversation = _open(team, conversation_id)
    task = curation.add_task(conversation=conversation, text=description.strip(), by=by, now=timezone.now())
    values = _completed(task, details) | {"last_seq": conversation.last_seq}
    return _set(conversation, task, values, by)


@atomic
def change(*, team: Team, conversation_id: UUID, key: str, by: User | None, changes: Mapping[str, Any]) -> Task:
    """Sets fields of a task by hand; from then on folding leaves it alone, and successors take it over as it is.

    `changes` may hold description, status, steps_done, steps_left, blocking_reason and dismissed. A task that is completed
    has no step left: those that were are done. Raises NotFound, SessionInvalidated, SessionExpired.
    """
    conversation = _open(team, conversation_id)
    task = existing(Task.objects.select_for_update().filter(conversation=conversation, key=key).first(), "task in this conversation")
    return _set(conversation, task, _completed(task, changes) | {"last_seq": conversation.last_seq}, by)


def _open(team: Team, conversation_id: UUID) -> Conversation:
    conversation = Conversation.objects.visible_to(team).select_for_update(no_key=True).filter(id=conversation_id).first()
    if conversation is None:
        raise conversations.missing(team=team, conversation_id=conversation_id)
    conversations.check_open(conversation)
    return conversation


def _completed(task: Task, changes: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(changes)
    if values.get("status") == TaskStatus.COMPLETED and "steps_left" not in values:
        done = values.get("steps_done", task.steps_done)
        values |= {"steps_done": [*done, *(step for step in task.steps_left if step not in done)], "steps_left": [], "blocking_reason": ""}
    return values


def _set(conversation: Conversation, task: Task, values: Mapping[str, Any], by: User | None) -> Task:
    curation.change(row=task, values=values, by=by, now=timezone.now())
    events.publish(name="task.changed", team=conversation.team, subject_id=conversation.id, payload={"key": task.key})
    task.refresh_from_db()
    return task
