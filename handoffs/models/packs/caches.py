"""The three caches of packs. Each row is found by the digest of everything that it depends on (`handoffs.packs.serving.keys`)."""

from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel
from handoffs.models.packs.repositories import Repository


class CachedRow(StoredModel):
    """`digest` is that of the key, which names the repository, and so the team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="+", db_index=False)
    digest = models.CharField(max_length=48)
    used_at = models.DateTimeField()

    class Meta:
        abstract = True


class FileSummary(CachedRow):
    """What one version of a file defines (`symbols`: lines and words); `blob` is the hash of its contents."""

    path = models.TextField()
    blob = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    symbols = models.JSONField(default=list, blank=True)

    class Meta:
        db_table = "continuity_file_cache"
        verbose_name_plural = "file summaries"
        constraints = [models.UniqueConstraint(fields=["repository", "digest"], name="file_summary_once")]
        # The oldest go first.
        indexes = [models.Index(fields=["repository", "used_at"], name="file_summary_oldest")]

    def __str__(self) -> str:
        return f"summary of {self.blob[:8]}"


class RankedSearch(CachedRow):
    """What a client found for a query at a commit: ranked files, the map, the changes; masked. `conversation` asked first."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    commit = models.CharField(max_length=64, blank=True)
    found = models.JSONField(default=dict)

    class Meta:
        db_table = "continuity_search_cache"
        verbose_name_plural = "ranked searches"
        constraints = [models.UniqueConstraint(fields=["repository", "digest"], name="ranked_search_once")]
        indexes = [
            # The oldest go first; the newest is what an Anchor pack is made of for a session that begins.
            models.Index(fields=["repository", "-used_at"], name="ranked_search_latest"),
        ]

    def __str__(self) -> str:
        return f"search at {self.commit[:8]}"


class StoredPackQuerySet(models.QuerySet["StoredPack"]):
    def visible_to(self, team: Team) -> "StoredPackQuerySet":
        return self.filter(team=team)


class StoredPack(CachedRow):
    """Rendered packs, masked; `paths` are the files that they name, `lessons` the digest of what sessions taught. Erasing a session deletes
    every pack of its team: any may hold its words."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    fingerprint = models.CharField(max_length=48)
    head = models.CharField(max_length=64, blank=True)
    changed = models.CharField(max_length=64)
    provider = models.CharField(max_length=40, blank=True)
    mode = models.CharField(max_length=8)
    profile = models.CharField(max_length=12)
    lessons = models.CharField(max_length=48)
    anchor = models.TextField(blank=True)
    context = models.TextField(blank=True)
    delta = models.TextField(blank=True)
    paths = models.JSONField(default=list, blank=True)
    all_in_delta = models.BooleanField(default=True)

    objects = StoredPackQuerySet.as_manager()

    class Meta:
        db_table = "continuity_pack_cache"
        constraints = [models.UniqueConstraint(fields=["repository", "digest"], name="stored_pack_once")]
        indexes = [
            models.Index(fields=["repository", "-used_at"], name="stored_pack_latest"),
            # The newest of a session, which agents ask for.
            models.Index(fields=["conversation", "-used_at"], name="stored_pack_of_session"),
        ]

    def __str__(self) -> str:
        return f"pack at {self.head[:8]}"
