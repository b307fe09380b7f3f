"""Answers of teammates to offers, until whoever made the offer has seen them."""

from django.conf import settings
from django.db import models

from continuity.models import Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff


class OfferAnswer(StoredModel):
    """One for each handoff and `giver`, who offered it; gone when it was seen, or when the handoff is offered anew."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    handoff = models.ForeignKey(Handoff, on_delete=models.CASCADE, related_name="answers", db_index=False)
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    accepted = models.BooleanField()
    reason = models.CharField(max_length=500, blank=True, default="", db_default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["handoff", "giver"], name="offer_answer_once")]

    def __str__(self) -> str:
        return f"{'accepted' if self.accepted else 'declined'} {self.handoff_id}"
