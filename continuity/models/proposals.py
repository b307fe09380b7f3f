"""Stretches that a model was asked about, so that none is asked twice."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class ModelPass(StoredModel):
    """One window of a conversation that a model answered for; the last one's `last_seq` is the watermark.

    `unusable` says why nothing of an answer could be read, empty where it could. `summary` is the model's own words,
    unchecked but for length and secrets. `rejected` counts what was not taken, by reason.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="model_passes", db_index=False)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    model = models.CharField(max_length=120, blank=True)
    unusable = models.CharField(max_length=60, blank=True)
    summary = models.TextField(blank=True)
    anchors = models.PositiveIntegerField(default=0)
    tasks = models.PositiveIntegerField(default=0)
    rejected = models.JSONField(default=dict)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "model passes"
        constraints = [
            # Two workers with the same answer: the second one's is refused. Also finds the watermark and the latest summaries.
            models.UniqueConstraint(fields=["conversation", "first_seq"], name="model_pass_once"),
            models.CheckConstraint(condition=models.Q(last_seq__gte=models.F("first_seq")), name="model_pass_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first_seq}–{self.last_seq}"
