"""Letting a package be resumed although its check fails: who, when, why, and what was missing."""

from django.conf import settings
from django.db import models

from continuity.models import ApiKey, Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff


class HandoffOverride(StoredModel):
    """An operator's word that a package may be resumed without what is missing; it ends where something else is missing too.

    `missing` are the descriptions of the issues at `version`, `keys` what they are about. `made_by` is the
    person, also of a key that was used (`made_with`); `made_as` names both and stays when they are gone.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    handoff = models.ForeignKey(Handoff, on_delete=models.CASCADE, related_name="overrides", db_index=False)
    version = models.PositiveIntegerField()
    reason = models.TextField()
    score = models.FloatField()
    missing = models.JSONField(default=list)
    keys = models.JSONField(default=list)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_as = models.CharField(max_length=200)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["handoff"], condition=models.Q(ended_at=None), name="handoff_override_standing"),
        ]
        # A package's overrides in their order.
        indexes = [models.Index(fields=["handoff", "created_at"], name="handoff_override_order")]

    def __str__(self) -> str:
        return f"override of version {self.version} by {self.made_as}"
