"""The state of packs and of the governor in one session."""

from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel
from handoffs.models.packs.caches import StoredPack
from handoffs.models.packs.repositories import Repository


class PackSession(StoredModel):
    """Counters of a session in a repository. `machine` and `root` say where its work tree stands.

    `turns`, `hits` and `built` count what was asked for; `given_bytes` what arrived in the window, `would_bytes` what would have been given
    where nothing is injected, `baseline_bytes` what giving Anchor and Context at each turn would have taken. `calls` are the bytes of the
    last calls, `files` what was named since the snapshot. `arrived` is what the window holds (`DeliveredPacks`), `last_pack` what was made
    last. `wanted` is what the governor asked for last, with `reasons`; `low_token` says that the tool told of a rate limit.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, related_name="+")
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="sessions", db_index=False)
    machine = models.CharField(max_length=120, blank=True)
    root = models.TextField(blank=True)
    seen_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)
    hits = models.PositiveIntegerField(default=0)
    built = models.PositiveIntegerField(default=0)
    given_bytes = models.PositiveBigIntegerField(default=0)
    would_bytes = models.PositiveBigIntegerField(default=0)
    baseline_bytes = models.PositiveBigIntegerField(default=0)
    snapshots = models.PositiveIntegerField(default=0)
    snapshot_at = models.DateTimeField(null=True, blank=True)
    snapshot_turns = models.PositiveIntegerField(default=0)
    snapshot_diff = models.PositiveIntegerField(default=0)
    diff_lines = models.PositiveIntegerField(default=0)
    committed_lines = models.PositiveIntegerField(default=0)
    calls = models.JSONField(default=list, blank=True)
    files = models.JSONField(default=list, blank=True)
    arrived = models.JSONField(default=dict, blank=True)
    last_pack = models.ForeignKey(StoredPack, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    fingerprint = models.CharField(max_length=48, blank=True)
    wanted = models.CharField(max_length=10, blank=True)
    reasons = models.JSONField(default=list, blank=True)
    low_token = models.BooleanField(default=False)
    captured_seq = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "continuity_state"
        indexes = [
            # The sessions of a repository, the latest first: whose lessons its packs hold.
            models.Index(fields=["repository", "-seen_at"], name="pack_session_latest"),
        ]

    def __str__(self) -> str:
        return f"packs of {self.conversation_id}"
