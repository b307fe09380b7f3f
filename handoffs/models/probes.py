"""Probes of a conversation, collected as its messages arrive."""

from django.db import models

from continuity.models import Conversation, FoldCheckpoint, Team
from continuity.models.base import StoredModel


class ProbeBank(StoredModel):
    """The bank (`fidelity.probes.Bank`, bounded) after message `through_seq`, moved by compare-and-swap.

    `rewinds` is the conversation's count when the messages were read: where it differs, some were taken back since.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, related_name="probe_bank")
    through_seq = models.PositiveIntegerField(default=0)
    rewinds = models.PositiveIntegerField(default=0)
    rules_version = models.PositiveIntegerField()
    state = models.JSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"through {self.through_seq}"


class ProbeCheckpoint(StoredModel):
    """A copy of the bank where the fold has a checkpoint. It goes with that: whatever takes the fold back takes the bank back too."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+", db_index=False)
    fold = models.OneToOneField(FoldCheckpoint, on_delete=models.CASCADE, related_name="probes")
    seq = models.PositiveIntegerField()
    rules_version = models.PositiveIntegerField()
    state = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "seq"], name="probe_checkpoint_once")]

    def __str__(self) -> str:
        return f"at {self.seq}"
