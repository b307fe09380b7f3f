"""Handoffs that continue one another (CONT-04)."""

from typing import ClassVar

from django.db import models

from continuity.models import Conversation, Team
from continuity.models.base import Row


class HandoffChainQuerySet(models.QuerySet["HandoffChain"]):
    def visible_to(self, team: Team) -> "HandoffChainQuerySet":
        return self.filter(team=team)


class HandoffChain(Row):
    """The handoffs that go back to one root conversation; `total_tokens_processed` sums what each one replaced."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    root_conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="chains")
    current_handoff = models.ForeignKey("handoffs.Handoff", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    total_handoffs = models.PositiveIntegerField(default=0)
    total_tokens_processed = models.PositiveBigIntegerField(default=0)
    started_at = models.DateTimeField()
    last_activity_at = models.DateTimeField()

    objects: ClassVar[HandoffChainQuerySet] = HandoffChainQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        db_table = "handoff_chains"
        constraints = [
            models.UniqueConstraint(fields=["root_conversation"], name="chain_root_once"),
            models.UniqueConstraint(fields=["id", "team"], name="chain_id_team"),
        ]
        indexes = [models.Index(fields=["team", "-last_activity_at"], name="chain_team_recent")]

    def __str__(self) -> str:
        return f"chain of {self.total_handoffs}"
