"""The units of work of a conversation."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.knowledge import columns
from continuity.knowledge import model as distill
from continuity.knowledge.requests.belonging import Belonging
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation

WAITING = (distill.TaskStatus.BLOCKED.value, distill.TaskStatus.AWAITING_INPUT.value)


class TaskQuerySet(models.QuerySet["Task"]):
    def visible_to(self, team: Team) -> "TaskQuerySet":
        return self.filter(team=team)

    def open(self) -> "TaskQuerySet":
        return self.exclude(status=distill.TaskStatus.COMPLETED).filter(dismissed=False)


class Task(StoredModel):
    """A `distill.model.Task` as a row; one that a person edited a re-fold leaves alone."""

    belongs: Belonging | None = None  # to what its words belong, where that was asked for (`handoffs.queries.board_of`)

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="tasks", db_index=False)
    origin_conversation = models.ForeignKey(Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=24)
    description = models.TextField()
    status = models.PositiveSmallIntegerField(choices=[(status.value, status.name.title()) for status in distill.TaskStatus])
    steps_done = ArrayField(models.TextField(), default=list)
    steps_left = ArrayField(models.TextField(), default=list)
    blocking_reason = models.TextField(blank=True)
    tool_id = models.CharField(max_length=200, blank=True)
    method = models.CharField(max_length=60)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    dismissed = models.BooleanField(default=False)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    edited_at = models.DateTimeField(null=True, blank=True)

    objects = TaskQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "key"], name="task_once")]
        indexes = [
            # Preparing reads the open ones, whatever they wait for, and the latest that were completed, of which there may be thousands.
            models.Index(
                fields=["conversation", "-last_seq"],
                condition=models.Q(~models.Q(status=distill.TaskStatus.COMPLETED.value), dismissed=False),
                name="task_open",
            ),
            models.Index(fields=["conversation", "status", "-last_seq"], name="task_by_status"),
            # The team's few that wait for somebody.
            models.Index(fields=["team"], condition=models.Q(status__in=WAITING, dismissed=False), name="task_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.get_status_display()}"

    def as_distilled(self) -> distill.Task:
        return columns.task(*(getattr(self, name) for name in columns.TASK))

    @property
    def progress(self) -> float:
        return self.as_distilled().progress
