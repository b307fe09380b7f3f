"""Resumptions: who resumed a handoff, and in which conversation."""

from django.conf import settings
from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff


class Resumption(StoredModel):
    """One resumption of a handoff, with its report (CONT-06). Only a fork may be a second one.

    By `directive_digest` a session that begins with what was told is known to be the one that goes on.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    handoff = models.ForeignKey(Handoff, on_delete=models.CASCADE, related_name="resumptions")
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, related_name="resumption")
    resumed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    fork = models.BooleanField(default=False)
    report = models.JSONField(default=dict)
    directive_digest = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["handoff"], condition=models.Q(fork=False), name="resumption_once_but_forks"),
        ]
        indexes = [
            # What the team did lately.
            models.Index(fields=["team", "-created_at"], name="resumption_team_recent"),
            # Which resumption a session is that begins with a directive.
            models.Index(fields=["team", "directive_digest"], condition=~models.Q(directive_digest=""), name="resumption_directive"),
        ]

    @property
    def session_seen(self) -> bool:
        """Whether the session that goes on was heard of, by its receipt or its first messages. Until then its report says what was
        copied into the new conversation's record, and not what an agent got. Queries for what was not read with the row."""
        return self.conversation.last_seq > 0 or getattr(self, "receipt", None) is not None

    def __str__(self) -> str:
        return f"{self.handoff_id} -> {self.conversation_id}"
