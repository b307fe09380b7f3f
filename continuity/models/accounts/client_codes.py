"""Codes by which a client gets its key; of each only a digest is kept."""

from datetime import datetime

from django.conf import settings
from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel


class ClientCodeQuerySet(models.QuerySet["ClientCode"]):
    def open(self, now: datetime) -> "ClientCodeQuerySet":
        """Codes that can still be redeemed."""
        return self.filter(redeemed_at=None, expires_at__gt=now)


class ClientCode(StoredModel):
    """Lets one client have a key of `created_by` in `team`, once, until `expires_at`."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="client_codes")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    redeemed_at = models.DateTimeField(null=True, blank=True)

    objects = ClientCodeQuerySet.as_manager()

    class Meta:
        # How many of one person are open, and which are long over.
        indexes = [models.Index(fields=["created_by", "expires_at"], name="client_code_over")]

    def __str__(self) -> str:
        return f"code of {self.created_by_id} in {self.team_id}"
