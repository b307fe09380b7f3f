"""Handoff policies of a team, or of one of its conversations."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from continuity.models import Conversation, Team
from continuity.models.base import StoredModel
from handoffs.contract.model import Style


class HandoffPolicy(StoredModel):
    """What differs from the defaults of `handoffs.policy.Policy`: for a team, or for one conversation (which goes before).

    Empty fields leave the default. `review` leaves every package a draft until a person makes it ready; `budget` and `style`
    are those of automatic packages, `max_chain_length` is the most handoffs in a chain; `ask_for_notes` lets hooks ask agents for
    handoff notes.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, null=True, blank=True, related_name="policy")
    handoff_at = models.FloatField(null=True, blank=True)
    long_task_at = models.FloatField(null=True, blank=True)
    long_task_steps = models.PositiveIntegerField(null=True, blank=True)
    approaching_at = models.FloatField(null=True, blank=True)
    approaching_turns = models.PositiveIntegerField(null=True, blank=True)
    fold_at = models.FloatField(null=True, blank=True)
    boundary_at = models.FloatField(null=True, blank=True)
    cooldown_seconds = models.PositiveIntegerField(null=True, blank=True)
    min_freed = models.FloatField(null=True, blank=True)
    automatic = models.BooleanField(null=True, blank=True)
    review = models.BooleanField(null=True, blank=True)
    ask_for_notes = models.BooleanField(null=True, blank=True)
    budget = models.PositiveIntegerField(null=True, blank=True)
    max_chain_length = models.PositiveIntegerField(null=True, blank=True)
    style = models.CharField(max_length=12, blank=True, choices=[(style.value, style.value) for style in Style])
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "handoff policies"
        constraints = [models.UniqueConstraint(fields=["team"], condition=Q(conversation=None), name="policy_of_team_once")]

    def __str__(self) -> str:
        return f"policy of {self.conversation_id or self.team_id}"
