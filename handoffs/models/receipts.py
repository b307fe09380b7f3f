"""Receipts: what a successor received of a package, and the state of the work place that it found."""

from django.conf import settings
from django.db import models

from continuity.models import ApiKey, Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff
from handoffs.models.resumptions import Resumption


class Receipt(StoredModel):
    """One for each resumption; sending it again replaces it. `acknowledged` and `moved` are references of the package's items.

    `workspace` is the head commit and the hashes of files as the successor found them.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    handoff = models.ForeignKey(Handoff, on_delete=models.CASCADE, related_name="receipts")
    resumption = models.OneToOneField(Resumption, on_delete=models.CASCADE, related_name="receipt")
    loaded_at = models.DateTimeField(null=True, blank=True)
    acknowledged = models.JSONField(default=list)
    workspace = models.JSONField(default=dict)
    head_commit = models.CharField(max_length=64, blank=True)
    moved = models.JSONField(default=list)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"receipt of {self.handoff_id}"
