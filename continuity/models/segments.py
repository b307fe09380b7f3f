"""Runs of messages on one topic, and their compressed forms."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class Level(models.IntegerChoices):
    """Compression levels with their target ratios."""

    FULL = 0, "Full"
    DETAILED = 1, "Detailed (3:1)"
    BRIEF = 2, "Brief (10:1)"
    TAGS = 3, "Tags (50:1)"


class Segment(StoredModel):
    """Messages `first_seq` to `last_seq` of a conversation; `closed` when no further message can join.

    `told_at` is when its levels were made; empty says that they still have to be, also where an anchor in it was replaced since.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="segments", db_index=False)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    topic = models.CharField(max_length=300, blank=True)
    tokens = models.PositiveIntegerField(default=0)
    closed = models.BooleanField(default=False)
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "first_seq"], name="segment_once"),
            models.CheckConstraint(condition=models.Q(last_seq__gte=models.F("first_seq")), name="segment_in_order"),
        ]
        indexes = [
            # The sweep that finds what still has to be told.
            models.Index(fields=["created_at"], condition=models.Q(closed=True, told_at=None), name="segment_untold"),
            # The one that goes on, of the thousands that a long conversation has.
            models.Index(fields=["conversation"], condition=models.Q(closed=False), name="segment_open"),
        ]

    def __str__(self) -> str:
        return f"{self.first_seq}–{self.last_seq}"


class CompressedSegment(StoredModel):
    """A segment at one level; `markers` say where its text expands to the level below. It can always be made again."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="levels")
    level = models.PositiveSmallIntegerField(choices=Level.choices)
    content = models.TextField()
    markers = models.JSONField(default=list)
    tokens = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "level"], name="compressed_segment_once")]
        indexes = [models.Index(fields=["expires_at"], name="compressed_segment_expiry")]

    def __str__(self) -> str:
        return f"level {self.level}"
