"""Notices in time: a conversation or a package is about to expire."""

from django.conf import settings
from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class NoticeKind(models.TextChoices):
    CONVERSATION_EXPIRING = "conversation.expiring"
    HANDOFF_EXPIRING = "handoff.expiring"


class Notice(StoredModel):
    """`subject_id` is the conversation, or its package, that expires at `due_at`; once for each such time. For `owner`, or the whole
    team where it has none."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=24, choices=NoticeKind.choices)
    subject_id = models.UUIDField()
    due_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subject_id", "due_at"], name="notice_once")]
        indexes = [
            # The team's notices that are not over.
            models.Index(fields=["team", "due_at"], name="notice_team_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id}"
