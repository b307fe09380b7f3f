"""Tombstones of deleted handoffs, so that asking for one says that it is gone."""

from django.db import models

from continuity.models import Team


class HandoffTombstone(models.Model):
    """`id` is the id of the handoff that was deleted; `conversation` only its id, since it may be gone too."""

    id = models.UUIDField(primary_key=True)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.UUIDField()
    reason = models.CharField(max_length=40)
    deleted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.id} {self.reason}"
