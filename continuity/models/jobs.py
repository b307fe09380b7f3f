"""Long work that must go on whatever dies: a row with a lease, swept until it is done."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class JobStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(StoredModel):
    """One piece of long work. `arguments` are ids and options, never message text; `done` of `total` is its progress.

    One that failed is told of until it is `dismissed`.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="jobs")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="jobs", null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=40)
    arguments = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    dismissed = models.BooleanField(default=False, db_default=False)
    warnings = ArrayField(models.TextField(), default=list)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            # The sweep: work that is queued or whose worker died.
            models.Index(fields=["lease_until"], condition=models.Q(status__in=["queued", "running"]), name="job_unfinished"),
            models.Index(fields=["team", "-created_at"], name="job_team_recent"),
        ]
        constraints = [models.CheckConstraint(condition=models.Q(status__in=JobStatus.values), name="job_status_known")]

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"


class IdempotentReply(StoredModel):
    """The answer to a request with an `Idempotency-Key`, given again when the request is.

    By the `path` that was asked an erase finds what it answered: an answer need not name the conversation that it is about.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request_digest = models.CharField(max_length=64)
    path = models.CharField(max_length=300, blank=True, default="", db_default="")
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "idempotent replies"
        constraints = [models.UniqueConstraint(fields=["team", "key"], name="idempotent_reply_once")]
        indexes = [models.Index(fields=["created_at"], name="idempotent_reply_age")]

    def __str__(self) -> str:
        return self.key
