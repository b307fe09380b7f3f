"""Repositories that a team's sessions work in, and how far packs are rolled out in the team."""

from django.conf import settings
from django.db import models

from continuity.models import Team
from continuity.models.base import StoredModel


class PackMode(models.TextChoices):
    """How far a team lets packs go: nothing is read; only measured; given to sessions, and snapshots made; windows begun anew as well."""

    OFF = "off"
    PASSIVE = "passive"
    SNAPSHOT = "snapshot"
    REHYDRATE = "rehydrate"


class RepositoryQuerySet(models.QuerySet["Repository"]):
    def visible_to(self, team: Team) -> "RepositoryQuerySet":
        return self.filter(team=team)


class Repository(StoredModel):
    """A repository wherever it was cloned: `key` is made of its first commits and its remote (`host/path`, without credentials).

    `name` is for display. One without a commit and a remote is known by the folder that it stands in (`key` of machine and folder).
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=48)
    name = models.CharField(max_length=200)
    remote = models.CharField(max_length=1000, blank=True)
    roots = models.JSONField(default=list, blank=True)
    seen_at = models.DateTimeField()

    objects = RepositoryQuerySet.as_manager()

    class Meta:
        db_table = "continuity_repository"
        verbose_name_plural = "repositories"
        constraints = [
            models.UniqueConstraint(fields=["team", "key"], name="repository_once"),
            models.UniqueConstraint(fields=["id", "team"], name="repository_id_team"),
        ]
        # The team's list, the one used last first.
        indexes = [models.Index(fields=["team", "-seen_at"], name="repository_latest")]

    def __str__(self) -> str:
        return f"repository {self.key[:8]}"


class PackPolicy(StoredModel):
    """A team's settings for packs. `contents` lets clients send changed lines and instruction files; without it only names, hashes and
    summaries leave the machine. `boundaries` are globs of paths that other parts rest on; `drafts_a_day` bounds what is captured."""

    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="+")
    mode = models.CharField(max_length=10, choices=PackMode.choices, default=PackMode.PASSIVE)
    contents = models.BooleanField(default=False)
    boundaries = models.JSONField(default=list, blank=True)
    diff_lines = models.PositiveIntegerField(default=200)
    drafts_a_day = models.PositiveIntegerField(default=40)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "pack policies"
        constraints = [models.CheckConstraint(condition=models.Q(mode__in=PackMode.values), name="pack_mode_known")]

    def __str__(self) -> str:
        return f"packs of {self.team_id}"
