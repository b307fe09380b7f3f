"""Anchors of a conversation."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import models

from continuity.knowledge import columns
from continuity.knowledge import model as distill
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation

ADDED = "added."  # begins the `method` of what nobody said


class AnchorQuerySet(models.QuerySet["Anchor"]):
    def visible_to(self, team: Team) -> "AnchorQuerySet":
        return self.filter(team=team)

    def current(self) -> "AnchorQuerySet":
        return self.filter(state=distill.AnchorState.CURRENT)

    def as_distilled(self) -> list[distill.Anchor]:
        """The rows in the form that packages are assembled from, read without making model instances. One query.

        A carried anchor keeps seq 0: its place is in another conversation. What a person pinned counts as critical.
        """
        return [columns.anchor(*row) for row in self.values_list(*columns.ANCHOR)]


class Anchor(StoredModel):
    """A `distill.model.Anchor` as a row; `key` is stable, so a re-fold finds the row again.

    `found_seq` is the message that said it first, `source_seq` (with its span) the one that said it last.
    `source_seq` is the message in `conversation`, or, for an anchor carried over from a predecessor, in
    `origin_conversation`. What a person pinned, edited or dismissed (`edited_by`) a re-fold leaves alone.
    """

    said_on: datetime | None = None  # when it was said, where that was asked for (`queries.credit`)
    agreed_seq = 0  # the message that agreed to what the agent proposed, where that was asked for (`queries.credit`)
    answers: distill.Quote | None = None  # what of the agent's it answers, where that was asked for (`queries.credit`, `answer_of`)
    replaced: "Sequence[Anchor]" = ()  # what it took the place of, where that was asked for (`queries.credit`)
    said_in = ""  # who said it, by whose session it was, where a person did and that was asked for (`queries.name_people`)

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="anchors", db_index=False)
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

    objects = AnchorQuerySet.as_manager()

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
            # And by themselves those that must be told, and the most important of the others, of which a long conversation has thousands.
            models.Index(
                fields=["conversation", "-importance", "-source_seq"],
                condition=models.Q(models.Q(critical=True) | models.Q(pinned=True), state="current"),
                name="anchor_binding_by_value",
            ),
            models.Index(
                fields=["conversation", "-importance", "-source_seq"],
                condition=models.Q(state="current", critical=False, pinned=False),
                name="anchor_others_by_value",
            ),
            # And the latest ones: what was said last weighs more than it did when it was long ago.
            models.Index(fields=["conversation", "-found_seq"], condition=models.Q(state="current"), name="anchor_current_latest"),
            models.Index(fields=["conversation", "-settled_seq"], condition=models.Q(state="superseded"), name="anchor_superseded"),
            # Those that stand in a stretch of messages.
            models.Index(
                fields=["conversation", "source_seq"], condition=models.Q(origin_conversation=None), name="anchor_in_its_messages"
            ),
            # A search goes back through the team's latest before it asks the index of words.
            models.Index(fields=["team", "-created_at", "-found_seq"], name="anchor_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.key}"

    @property
    def said_at(self) -> UUID:
        """The conversation whose message it comes from."""
        return self.origin_conversation_id or self.conversation_id

    @property
    def is_added(self) -> bool:
        """Whether somebody wrote it beside the conversation, in which nobody said it."""
        return self.method.startswith(ADDED)
