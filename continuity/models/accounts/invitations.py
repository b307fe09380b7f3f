"""Invitations to a team; of the link's secret only a digest is kept."""

from datetime import datetime

from django.conf import settings
from django.db import models

from continuity.models.accounts.teams import Role, Team
from continuity.models.base import StoredModel


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, now: datetime) -> "InvitationQuerySet":
        """Invitations that can still be accepted."""
        return self.filter(accepted_at=None, revoked_at=None, expires_at__gt=now)


class Invitation(StoredModel):
    """Lets one person join `team` with `role`, once, until `expires_at`; where `email` is given, only the one with that address."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)
    email = models.EmailField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known")]
        indexes = [models.Index(fields=["team", "-created_at"], name="invitation_team_newest")]

    def __str__(self) -> str:
        return f"{self.email or 'anybody'} to {self.team_id}"
