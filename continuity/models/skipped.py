"""Messages that a reader had to pass over, so that they stop nothing else."""

from django.db import models

from continuity.core.isolation import LOST
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class SkippedMessageQuerySet(models.QuerySet["SkippedMessage"]):
    def visible_to(self, team: Team) -> "SkippedMessageQuerySet":
        return self.filter(team=team)


class SkippedMessage(StoredModel):
    """Reading message `seq` raised an exception of the type `error` at `place` in our code; it holds no word of the message.

    `reader` is what read it, a key of `isolation.LOST`. The row goes when the message is read again.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="skipped", db_index=False)
    seq = models.PositiveIntegerField()
    reader = models.CharField(max_length=16)
    error = models.CharField(max_length=80)
    place = models.CharField(max_length=80, blank=True)

    objects = SkippedMessageQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "seq", "reader"], name="skipped_message_once")]

    def __str__(self) -> str:
        return f"Message {self.seq:,} could not be read ({self.error}). It is kept and shown, but {LOST.get(self.reader, 'passed over')}."
