"""Lessons captured from sessions for everybody's next one."""

from django.conf import settings
from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel
from handoffs.capture import DraftKind, Trigger
from handoffs.models.packs.repositories import Repository


class ArtifactStatus(models.TextChoices):
    DRAFT = "draft"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ArtifactQuerySet(models.QuerySet["Artifact"]):
    def visible_to(self, team: Team) -> "ArtifactQuerySet":
        return self.filter(team=team)

    def drafts(self) -> "ArtifactQuerySet":
        return self.filter(status=ArtifactStatus.DRAFT)


class Artifact(StoredModel):
    """A landmine, a decision or a note on what was done, of one session; `sentences` are quotations with the message of each.

    `text` is a person's own wording, empty while nobody changed it. Secrets were masked before it was stored.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="artifacts", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in DraftKind])
    trigger = models.CharField(max_length=10, choices=[(trigger.value, trigger.value) for trigger in Trigger])
    subject = models.CharField(max_length=200)
    title = models.CharField(max_length=200)
    sentences = models.JSONField(default=list)
    files = models.JSONField(default=list, blank=True)
    text = models.TextField(blank=True)
    status = models.CharField(max_length=8, choices=ArtifactStatus.choices, default=ArtifactStatus.DRAFT)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = ArtifactQuerySet.as_manager()

    class Meta:
        db_table = "continuity_artifacts"
        constraints = [
            models.UniqueConstraint(fields=["conversation", "subject"], name="artifact_subject_once"),
            models.CheckConstraint(condition=models.Q(status__in=ArtifactStatus.values), name="artifact_status_known"),
        ]
        indexes = [
            # What waits for a person, and what stands in packs.
            models.Index(fields=["repository", "status", "-created_at"], name="artifact_by_status"),
            # How many were drafted today.
            models.Index(fields=["team", "-created_at"], name="artifact_team_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.conversation_id}"

    @property
    def words(self) -> str:
        """As packs show it."""
        return self.text or " ".join(str(each["text"]) for each in self.sentences)
