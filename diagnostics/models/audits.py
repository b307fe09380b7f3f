"""Deep audits: a conversation's messages read again from the first, and held against what is stored and what was handed on."""

from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel
from handoffs.models import Handoff


class AuditReport(StoredModel):
    """What an audit of messages 1 to `through_seq` compared and where it found a difference. Numbers and keys, never words.

    A difference is `{of, what, key, seq}`: an anchor, task, file, the bank of probes, or an anchor of the package; missing, extra,
    changed or outdated; with the key of the row and the message it came from. At most 200 are kept, `differing` counts all.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="audits")
    handoff = models.ForeignKey(Handoff, on_delete=models.SET_NULL, null=True, blank=True, related_name="audits")
    through_seq = models.PositiveIntegerField()
    anchors = models.PositiveIntegerField()
    tasks = models.PositiveIntegerField()
    files = models.PositiveIntegerField()
    package_anchors = models.PositiveIntegerField(default=0)
    differing = models.PositiveIntegerField()
    differences = models.JSONField(default=list)
    duration_ms = models.FloatField()

    class Meta:
        # A team's audits, newest first.
        indexes = [models.Index(fields=["team", "-created_at", "-id"], name="audit_team_recent")]

    def __str__(self) -> str:
        return f"{self.differing} differences through {self.through_seq}"
