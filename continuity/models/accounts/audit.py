"""Actions of people and keys. Rows are only added; the database refuses anything else but letting go of a deleted team."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel


class AuditEntry(StoredModel):
    """One deed: an event of `audited.AUDITED` with who did it and from where.

    Who and what are kept as ids and names, not as references: an entry outlives both. `actor` is empty where Continuity
    acted by itself. `details` holds what the event held: ids and numbers, never message text.
    """

    team = models.ForeignKey(Team, on_delete=models.SET_NULL, related_name="+", null=True)
    action = models.CharField(max_length=80)
    actor = models.CharField(max_length=255, blank=True)
    user_id = models.UUIDField(null=True)
    key_id = models.UUIDField(null=True)
    address = models.GenericIPAddressField(null=True)
    subject_id = models.UUIDField(null=True)
    subject = models.CharField(max_length=255, blank=True)
    details = models.JSONField(default=dict)
    correlation_id = models.CharField(max_length=128, blank=True)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [
            # The team's page, newest first, whole or of one kind or one actor.
            models.Index(fields=["team", "-created_at", "-id"], name="audit_newest"),
            models.Index(fields=["team", "action", "-created_at"], name="audit_action"),
            models.Index(fields=["team", "actor", "-created_at"], name="audit_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor or 'Continuity'}"
