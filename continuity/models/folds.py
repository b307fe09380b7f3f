"""The state of a fold, so that it goes on instead of starting again."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class FoldState(StoredModel):
    """The open items of a conversation's fold (at most 256 KB) after message `through_seq`, moved by compare-and-swap.

    `segment` is the open segment (`segments.OpenSegment`), empty before the first message. `curve` is how the window filled
    (`usage_curve.UsageCurve`): what was, which no rewind takes back. `outline` is what packages need of the state
    (`distill.Outline`); None where it has to be made of the state.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, related_name="fold")
    through_seq = models.PositiveIntegerField(default=0)
    rules_version = models.PositiveIntegerField()
    state = models.JSONField()
    segment = models.JSONField(default=dict)
    curve = models.JSONField(default=dict)
    outline = models.JSONField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"through {self.through_seq}"


class FoldCheckpoint(StoredModel):
    """A copy of the state every 1,000 messages (0 is what was carried over): an erase or a rewind re-folds from the last one before it."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="fold_checkpoints", db_index=False)
    seq = models.PositiveIntegerField()
    rules_version = models.PositiveIntegerField()
    state = models.JSONField()
    segment = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "seq"], name="fold_checkpoint_once")]

    def __str__(self) -> str:
        return f"at {self.seq}"
