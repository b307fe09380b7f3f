"""Alerts."""

from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.models import Team, User
from continuity.models.base import StoredModel


class AlertQuerySet(models.QuerySet["Alert"]):
    def visible_to(self, team: Team) -> "AlertQuerySet":
        return self.filter(team=team)

    def open(self) -> "AlertQuerySet":
        return self.filter(over_at=None)


class Alert(StoredModel):
    """One alert about a conversation, a team, a subscription, or whatever else `subject_kind` says (`subject_id`), raised at `raised_at`
    about what went wrong since `since`. `untold` are the channels that are still to be told of it; `over_told` says that it is over
    and the channels know that.

    Where it is about the store it waits on disk until the store is back. `team` is empty where the conversation is none of ours.
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
    subject_kind = models.CharField(max_length=20, default="conversation", db_default="conversation")
    untold = ArrayField(models.CharField(max_length=20), default=list, db_default=[])
    over_told = models.BooleanField(default=False, db_default=False)

    objects = AlertQuerySet.as_manager()

    class Meta:
        indexes = [
            # The team's list, the latest first.
            models.Index(fields=["team", "-raised_at", "-id"], name="alert_latest"),
            # The few that are open, to see which are over.
            models.Index(fields=["raised_at"], condition=models.Q(over_at=None), name="alert_open"),
            # Those that a channel is still to be told of.
            models.Index(fields=["raised_at", "id"], condition=~models.Q(untold=[]), name="alert_untold"),
            # Those whose end is still to be told.
            models.Index(fields=["over_at"], condition=models.Q(over_told=False, over_at__isnull=False), name="alert_over_untold"),
        ]

    @property
    def conversation_id(self) -> UUID | None:
        """The conversation that it is about, if it is about one."""
        return self.subject_id if self.subject_kind == "conversation" and self.subject_id != self.team_id else None

    def __str__(self) -> str:
        return f"{self.rule} of {self.subject_id}"


class AlertSeen(StoredModel):
    """That a person of the team saw an alert, and when first."""

    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, related_name="seen", db_index=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["alert", "user"], name="alert_seen_once")]

    def __str__(self) -> str:
        return f"{self.alert_id} by {self.user_id}"
