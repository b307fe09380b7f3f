"""The units of work of a conversation."""

from typing import Annotated
from uuid import UUID

from ninja import Field, P, PathEx, Query, Router, Schema, Status
from pydantic import ConfigDict

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.masks import MaskedText, MaskedTexts
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.knowledge.model import TaskStatus
from continuity.models import Task
from continuity.services.knowledge import tasks
from continuity.services.recording import conversations

router = Router(tags=["knowledge"])

LATEST = {"last_seq": int, "id": UUID}


class TaskQuery(PageQuery):
    open: bool = Field(False, description="Only what is not completed.")


class TaskOut(Schema):
    """A task. `status` is 0 not started, 1 in progress, 2 blocked, 3 awaiting input, 4 near completion, 5 completed; `progress` 0..100."""

    key: str
    description: MaskedText
    status: TaskStatus
    progress: float
    steps_done: MaskedTexts
    steps_left: MaskedTexts
    blocking_reason: MaskedText
    method: str
    first_seq: int
    last_seq: int


# As the address takes it.
TaskKey = PathEx[str, P(pattern=r"^[-\w]+$", examples=["t1"])]
Words = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
Steps = Annotated[list[Words], Field(max_length=100)]


class TaskChange(Schema):
    """A change of a task; fields that are not sent stay. A task that is completed has no step left: those that were are done."""

    model_config = ConfigDict(extra="forbid")

    description: Words | None = None
    status: TaskStatus | None = None
    steps_done: Steps | None = None
    steps_left: Steps | None = None
    blocking_reason: Annotated[str, Field(max_length=2000)] | None = None
    dismissed: bool | None = Field(None, description="Whether the task is none; it is then listed no more, and no package states it.")


class TaskIn(Schema):
    """A task that nobody named before."""

    model_config = ConfigDict(extra="forbid")

    description: Words
    status: TaskStatus = TaskStatus.NOT_STARTED
    steps_done: Steps = []
    steps_left: Steps = []
    blocking_reason: Annotated[str, Field(max_length=2000)] = ""


OF_CONVERSATION = "/conversations/{uuid:conversation_id}/tasks"


@router.post(OF_CONVERSATION, auth=WRITE, response=answers(TaskOut, 201, 410), summary="Add a task")
@idempotent
def add_task(request: ApiRequest, conversation_id: UUID, payload: TaskIn) -> Status[TaskOut]:
    """Adds a task by hand; no re-fold changes it, every package states it while it is open."""
    made = tasks.add(team=request.auth.team, conversation_id=conversation_id, by=request.auth.user, **payload.model_dump())
    return Status(201, TaskOut.from_orm(made))


@router.patch(f"{OF_CONVERSATION}/{{slug:key}}", auth=WRITE, response=answers(TaskOut, 200, 410), summary="Change a task")
def change_task(request: ApiRequest, conversation_id: UUID, key: TaskKey, payload: TaskChange) -> Status[Task]:
    """Changes a task by hand; from then on it stays as it is here, whatever the conversation says of it."""
    changes = payload.model_dump(exclude_none=True)
    return Status(
        200, tasks.change(team=request.auth.team, conversation_id=conversation_id, key=key, by=request.auth.user, changes=changes)
    )


@router.get(OF_CONVERSATION, auth=READ, response=answers(Page[TaskOut]), summary="List tasks")
def list_tasks(request: ApiRequest, conversation_id: UUID, query: Query[TaskQuery]) -> Status[Cut]:
    """The tasks, the one changed last first; those that a person dismissed are left out."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    rows = Task.objects.filter(conversation=conversation, dismissed=False)
    return Status(200, cut(rows.open() if query.open else rows, query, LATEST))
