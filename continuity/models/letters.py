"""Events that a subscriber could not take."""

from datetime import datetime, timedelta

from django.db import models

from continuity.core import clock
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.bus.subscriptions import Subscription
from continuity.models.events import Event

LONGEST_PAUSE = timedelta(hours=1)


class LetterStatus(models.TextChoices):
    RETRYING = "retrying"
    DEAD = "dead"


class DeadLetterQuerySet(models.QuerySet["DeadLetter"]):
    def due(self, now: datetime) -> "DeadLetterQuerySet":
        return self.filter(clock.due("retry_at", now=now, longest=LONGEST_PAUSE), status=LetterStatus.RETRYING)

    def dead(self) -> "DeadLetterQuerySet":
        return self.filter(status=LetterStatus.DEAD)


class DeadLetter(StoredModel):
    """One event that one subscriber failed to take; for all others the event counts as delivered.

    `subscriber` is the full name of a handler, or the name of another reader; a subscription's letters go with it. While it is
    `retrying` the next attempt is made at `retry_at`; a `dead` one waits for a person. `reason` names the kind of the failure and the
    line it came from, never words. The row goes when the subscriber takes the event, or when somebody discards it. The event is kept as
    long as the letter.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", null=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="letters", db_index=False)
    subscriber = models.CharField(max_length=200)
    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="letters", null=True)
    status = models.CharField(max_length=10, choices=LetterStatus.choices, default=LetterStatus.RETRYING)
    attempts = models.PositiveIntegerField(default=1)
    reason = models.CharField(max_length=200)
    failed_at = models.DateTimeField()
    retry_at = models.DateTimeField(null=True)

    objects = DeadLetterQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "subscriber"], name="dead_letter_once"),
            models.CheckConstraint(condition=models.Q(status__in=LetterStatus.values), name="dead_letter_status_known"),
        ]
        indexes = [
            # The sweep: what is to be tried again.
            models.Index(fields=["retry_at"], condition=models.Q(status="retrying"), name="dead_letter_due"),
            # The operators' list, the latest first.
            models.Index(fields=["-created_at", "-id"], name="dead_letter_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.subscriber}, {self.get_status_display()}"
