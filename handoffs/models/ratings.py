"""Ratings: what a reader of a received handoff says of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from continuity.models import ApiKey, Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff
from handoffs.models.resumptions import Resumption


class RatingKind(models.TextChoices):
    """What a rating says: whether the handoff was useful, that a line of it is wrong, or that something is missing."""

    USEFUL = "useful"
    WRONG_LINE = "wrong_line"
    MISSING = "missing"


class HandoffRatingQuerySet(models.QuerySet["HandoffRating"]):
    def visible_to(self, team: Team) -> "HandoffRatingQuerySet":
        return self.filter(team=team)


class HandoffRating(StoredModel):
    """One thing that a person or a key says of a handoff; said again of the same thing it replaces the first.

    `useful` is set where the kind is that. A wrong line is named by `key` (the same for the same words), with its `line` number in the
    package's own style at `version` (0: it has no such line), its first `reference` and an `excerpt` of it; what is missing has a key of
    its words. Secrets were masked before anything was stored. `resumption` is the one that it was said after, where that is known: with
    that session, erasing reaches it.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    handoff = models.ForeignKey(Handoff, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    resumption = models.ForeignKey(Resumption, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=12, choices=RatingKind.choices)
    useful = models.BooleanField(null=True, blank=True)
    key = models.CharField(max_length=32, blank=True)
    line = models.PositiveIntegerField(default=0)
    reference = models.CharField(max_length=12, blank=True)
    excerpt = models.TextField(blank=True)
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = HandoffRatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=RatingKind.values), name="handoff_rating_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="useful", useful__isnull=False) | ~Q(kind="useful") & Q(useful=None), name="handoff_rating_useful"
            ),
            # The second word of an author on the same thing replaces the first.
            models.UniqueConstraint(
                fields=["handoff", "made_by", "kind", "key"], condition=Q(made_with=None), name="handoff_rating_once_by_person"
            ),
            models.UniqueConstraint(fields=["handoff", "made_with", "kind", "key"], name="handoff_rating_once_by_key"),
        ]
        indexes = [
            # The ratings of a handoff, in their order.
            models.Index(fields=["handoff", "created_at"], name="handoff_rating_order"),
            # What the team's readers said lately.
            models.Index(fields=["team", "-created_at"], name="handoff_rating_team_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.handoff_id}"
