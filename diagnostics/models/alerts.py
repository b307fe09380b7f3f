"""Alerts."""

from typing import ClassVar
from uuid import UUID

from django.db import models

from continuity.models import Team
from continuity.models.base import StoredModel


class AlertQuerySet(models.QuerySet["Alert"]):
    def visible_to(self, team: Team) -> "AlertQuerySet":
        return self.filter(team=team)

    def open(self) -> "AlertQuerySet":
        return self.filter(over_at=None)


class Alert(StoredModel):
    """One alert about a conversation, or about a team (`subject_id`), raised at `raised_at` about what went wrong since `since`.

    It is about the store, and so waits on disk until the store is back. `team` is empty where the conversation is none of ours.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", null=True, db_index=False)
    subject_id = models.UUIDField()
    rule = models.CharField(max_length=40)
    severity = models.CharField(max_length=10)
    message = models.CharField(max_length=200)
    retries = models.PositiveIntegerField()
    since = models.DateTimeField()
    raised_at = models.DateTimeField()
    over_at = models.DateTimeField(null=True)

    objects: ClassVar[AlertQuerySet] = AlertQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            # The team's list, the latest first.
            models.Index(fields=["team", "-raised_at", "-id"], name="alert_latest"),
            # The few that are open, to see which are over.
            models.Index(fields=["raised_at"], condition=models.Q(over_at=None), name="alert_open"),
        ]

    @property
    def conversation_id(self) -> UUID | None:
        """The conversation that it is about, if it is about one."""
        return None if self.subject_id == self.team_id else self.subject_id

    def __str__(self) -> str:
        return f"{self.rule} of {self.subject_id}"
