"""Handoffs that continue one another (CONT-04)."""

import uuid

from django.contrib.postgres.functions import RandomUUID, TransactionNow
from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel


class HandoffChainQuerySet(models.QuerySet["HandoffChain"]):
    def visible_to(self, team: Team) -> "HandoffChainQuerySet":
        return self.filter(team=team)


class HandoffChain(StoredModel):
    """The handoffs that go back to one root conversation; `total_tokens_processed` sums what each one replaced.

    `numbered` is the highest number that one of them was given.
    `total_handoffs` is its length: where A was handed off to B and B to C, which has a package of its own, it is 3. Further packages
    of one conversation, and branches beside one another, make it no longer.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, db_default=RandomUUID(), editable=False)
    root_conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="chains", db_index=False)
    current_handoff = models.ForeignKey("handoffs.Handoff", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    total_handoffs = models.PositiveIntegerField(default=0, db_default=1)
    numbered = models.PositiveIntegerField(default=0, db_default=0)
    total_tokens_processed = models.PositiveBigIntegerField(default=0)
    started_at = models.DateTimeField(db_default=TransactionNow())
    last_activity_at = models.DateTimeField(db_default=TransactionNow())

    objects = HandoffChainQuerySet.as_manager()

    class Meta:
        db_table = "handoff_chains"
        constraints = [
            models.UniqueConstraint(fields=["root_conversation"], name="idx_chains_root"),
            models.UniqueConstraint(fields=["id", "team"], name="chain_id_team"),
        ]
        indexes = [models.Index(fields=["team", "-last_activity_at"], name="chain_team_recent")]

    def __str__(self) -> str:
        return f"chain of {self.total_handoffs}"
