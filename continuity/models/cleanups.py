"""Pending clean-ups of invalidated conversations (FR-004a)."""

from datetime import datetime, timedelta

from django.db import models

from continuity.core import clock
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation

LONGEST = timedelta(hours=2)  # No try is ever put off so far.


class CleanupQuerySet(models.QuerySet["Cleanup"]):
    def due(self, now: datetime) -> "CleanupQuerySet":
        return self.filter(clock.due("due_at", now=now, longest=LONGEST), done_at=None)

    def alerted(self) -> "CleanupQuerySet":
        """Clean-ups that failed so often that a person must look."""
        return self.filter(done_at=None).exclude(alerted_at=None)


class Cleanup(StoredModel):
    """Tried at once, again after 10 s, then at growing pauses; `due_at` is the next try, `attempts` counts those that were begun."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, related_name="cleanup")
    due_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    alerted_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    objects = CleanupQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(done_at=None), name="cleanup_due")]

    def __str__(self) -> str:
        return f"attempt {self.attempts}"
