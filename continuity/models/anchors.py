"""What must survive of a conversation."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from continuity.distill import model as distill
from continuity.models.base import Row
from continuity.models.conversations import Conversation
from continuity.models.teams import Team


class AnchorQuerySet(models.QuerySet["Anchor"]):
    def visible_to(self, team: Team) -> "AnchorQuerySet":
        return self.filter(team=team)

    def current(self) -> "AnchorQuerySet":
        return self.filter(state=distill.AnchorState.CURRENT)


class Anchor(Row):
    """A `distill.model.Anchor` as a row; `key` is stable, so a re-fold finds the row again.

    `found_seq` is the message that said it first, `source_seq` (with its span) the one that said it last.
    `source_seq` is the message in `conversation`, or, for an anchor carried over from a predecessor, in
    `origin_conversation`. What a person pinned, edited or dismissed (`edited_by`) a re-fold leaves alone.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="anchors")
    key = models.CharField(max_length=24)
    type = models.CharField(max_length=24, choices=[(kind.value, kind.value) for kind in distill.AnchorType])
    text = models.TextField()
    found_seq = models.PositiveIntegerField()
    source_seq = models.PositiveIntegerField()
    source_part = models.PositiveIntegerField(default=0)
    source_start = models.PositiveIntegerField(default=0)
    source_end = models.PositiveIntegerField(default=0)
    origin_conversation = models.ForeignKey(Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    importance = models.FloatField()
    truth = models.CharField(max_length=10, choices=[(truth.value, truth.value) for truth in distill.Truth])
    method = models.CharField(max_length=60)
    critical = models.BooleanField(default=False)
    state = models.CharField(
        max_length=12, choices=[(state.value, state.value) for state in distill.AnchorState], default=distill.AnchorState.CURRENT
    )
    superseded_by = models.CharField(max_length=24, blank=True)
    settled_seq = models.PositiveIntegerField(null=True, blank=True)
    subject = models.CharField(max_length=300, blank=True)
    rationale = models.TextField(blank=True)
    rejected = models.TextField(blank=True)
    pinned = models.BooleanField(default=False)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    edited_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[AnchorQuerySet] = AnchorQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "key"], name="anchor_once"),
            models.CheckConstraint(condition=models.Q(importance__gte=0, importance__lte=2), name="anchor_importance_range"),
        ]
        indexes = [
            # Preparing reads the most important current ones, however many there are.
            models.Index(
                fields=["conversation", "-critical", "-importance", "-source_seq"],
                condition=models.Q(state="current"),
                name="anchor_current_by_value",
            ),
            models.Index(fields=["conversation", "-settled_seq"], condition=models.Q(state="superseded"), name="anchor_superseded"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.key}"

    def as_distilled(self) -> distill.Anchor:
        """The anchor in the form that packages are assembled from; a carried one keeps seq 0."""
        return distill.Anchor(
            key=self.key,
            type=distill.AnchorType(self.type),
            text=self.text,
            ref=distill.Ref(0 if self.origin_conversation_id else self.source_seq, self.source_part, self.source_start, self.source_end),
            importance=self.importance,
            truth=distill.Truth(self.truth),
            method=self.method,
            critical=self.critical or self.pinned,
            state=distill.AnchorState(self.state),
            superseded_by=self.superseded_by,
            settled_seq=self.settled_seq,
            subject=self.subject,
            rationale=self.rationale,
            rejected=self.rejected,
        )
