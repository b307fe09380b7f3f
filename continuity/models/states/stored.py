"""The tables of the storage adapter `postgres`: sessions of agents, and values."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.conversations import Conversation
from continuity.storage.sessions import Encoding, SessionState


class StoredState(models.Model):
    """One record of a storage adapter, as it stands there: `body` may be compressed, and is read by the adapter alone.

    `epoch` is that of its writer; one before it may not write any more. The row goes with its team and with its conversation.
    """

    kind = models.CharField(max_length=10, choices=[("session", "Session"), ("value", "Value")])
    key = models.CharField(max_length=200)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", null=True)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+", null=True)
    state = models.CharField(max_length=20, choices=[(each.value, each.value) for each in SessionState], default=SessionState.ACTIVE)
    epoch = models.PositiveBigIntegerField(default=0)
    encoding = models.CharField(max_length=10, choices=[(each.value, each.value) for each in Encoding], default=Encoding.PLAIN)
    body = models.BinaryField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="stored_state_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
