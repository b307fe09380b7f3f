"""Each attempt to hand off or to resume, for figures over a time: what a package's own row says is gone with the package."""

from django.db import models

from continuity.models import Team


class AttemptKind(models.TextChoices):
    HANDOFF = "handoff"
    RESUMPTION = "resumption"


class Attempt(models.Model):
    """`id` is the id of the event that told of it; scores are 0..1, and None where nothing was checked.

    `subject` is the id of the handoff that it was about.
    """

    id = models.UUIDField(primary_key=True)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=AttemptKind.choices)
    subject = models.UUIDField(null=True)
    at = models.DateTimeField()
    succeeded = models.BooleanField()
    reason = models.CharField(max_length=80, blank=True)
    duration_ms = models.FloatField()
    anchor_preservation = models.FloatField(null=True)
    task_preservation = models.FloatField(null=True)

    class Meta:
        indexes = [
            # A team's snapshot over a time.
            models.Index(fields=["team", "kind", "at"], name="attempt_team_kind_at"),
            # What is too old to be kept.
            models.Index(fields=["at"], name="attempt_at"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {'succeeded' if self.succeeded else 'failed'} in {self.duration_ms:g} ms"
