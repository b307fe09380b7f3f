"""The outbox: what happened, written with what it happened to, and delivered after commit."""

from django.db import models

from continuity.events.topics import subject_of
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel


class Event(StoredModel):
    """One thing that happened, named `noun.past_tense`.

    `position` is assigned after commit and increases as rows become visible: every reader follows it, since ids and
    timestamps would skip rows that committed late. `payload` holds ids and numbers, never message text; what a
    publisher said stands beside it, in `PublishedPayload`.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", null=True)
    name = models.CharField(max_length=80)
    subject_id = models.UUIDField(null=True)
    payload = models.JSONField(default=dict)
    critical = models.BooleanField(default=False)
    correlation_id = models.CharField(max_length=128, blank=True)
    position = models.BigIntegerField(null=True, unique=True)
    dispatched_at = models.DateTimeField(null=True)
    relayed_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)
    # Of what was published; the topics of our own events follow from their names. Defaults for writers of an older release.
    topic = models.CharField(max_length=200, blank=True, default="", db_default="")
    publisher = models.CharField(max_length=120, blank=True, default="", db_default="")
    # What continues the trace in which it was published (W3C Trace Context); empty outside of any.
    traceparent = models.CharField(max_length=55, blank=True, default="", db_default="")

    class Meta:
        indexes = [
            # The sweep: rows that were committed but not delivered.
            models.Index(fields=["created_at"], condition=models.Q(dispatched_at=None), name="event_undispatched"),
            models.Index(fields=["created_at"], condition=models.Q(relayed_at=None), name="event_unrelayed"),
            # A team's stream and replay, by position.
            models.Index(fields=["team", "position"], name="event_team_position"),
            models.Index(fields=["subject_id", "position"], name="event_subject_position"),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.position}"

    @property
    def subject(self) -> str:
        """The topic that subscribers know the event by."""
        return subject_of(self.topic, self.name)


class Cursor(models.Model):
    """How far a named consumer has acknowledged the events."""

    consumer = models.CharField(max_length=120, primary_key=True)
    position = models.BigIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.consumer} at {self.position}"
