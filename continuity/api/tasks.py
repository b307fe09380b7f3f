"""The units of work of a conversation."""

from uuid import UUID

from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.pages import Cut, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.distill.model import TaskStatus
from continuity.models import Task
from continuity.services import conversations

router = Router(tags=["knowledge"])

LATEST = {"last_seq": int, "id": UUID}


class TaskQuery(PageQuery):
    open: bool = Field(False, description="Only what is not completed.")


class TaskOut(Schema):
    """A task. `status` is 0 not started, 1 in progress, 2 blocked, 3 awaiting input, 4 near completion, 5 completed; `progress` 0..100."""

    key: str
    description: str
    status: TaskStatus
    progress: float
    steps_done: list[str]
    steps_left: list[str]
    blocking_reason: str
    method: str
    first_seq: int
    last_seq: int

    @staticmethod
    def resolve_description(task: Task) -> str:
        return str(hide(task.description))

    @staticmethod
    def resolve_steps_done(task: Task) -> list[str]:
        return list(hide(task.steps_done))

    @staticmethod
    def resolve_steps_left(task: Task) -> list[str]:
        return list(hide(task.steps_left))

    @staticmethod
    def resolve_blocking_reason(task: Task) -> str:
        return str(hide(task.blocking_reason))


@router.get("/conversations/{uuid:conversation_id}/tasks", auth=READ, response=answers(Page[TaskOut]), summary="List tasks")
def list_tasks(request: ApiRequest, conversation_id: UUID, query: Query[TaskQuery]) -> Status[Cut]:
    """The tasks, the one changed last first; those that a person dismissed are left out."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    rows = Task.objects.filter(conversation=conversation, dismissed=False)
    return Status(200, cut(rows.open() if query.open else rows, query, LATEST))
