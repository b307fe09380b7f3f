"""Keys by which agents call the API; only a digest of each is kept."""

from datetime import datetime

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel


class Scope(models.TextChoices):
    READ = "read", "Read conversations and handoffs"
    WRITE = "write", "Record conversations"
    HANDOFF = "handoff", "Prepare and resume handoffs"
    AGENT = "agent", "Run agents"
    ADMIN = "admin", "Invalidate and erase"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def visible_to(self, team: Team) -> "ApiKeyQuerySet":
        return self.filter(team=team)


class ApiKey(StoredModel):
    """A key reads `<kind>_<lookup>_<secret>`: kind and lookup find the row, `digest` is SHA-256 of the secret (hex)."""

    maker_role: int | None = None  # the present role of `created_by` in the team, as `apikeys.authenticate` reads it

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="api_keys")
    # A key is worth no more than the role of who made it, and ends with them; one that nobody made is the installation's own.
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=16, default="cont")
    lookup = models.CharField(max_length=16, unique=True)
    digest = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope.choices), default=list)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}_{self.lookup}_…)"

    def is_live(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)
