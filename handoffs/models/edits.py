"""Edits of a package by people and agents, each with who and when."""

from django.conf import settings
from django.db import models

from continuity.models import ApiKey, Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff


class EditAction(models.TextChoices):
    PIN = "pin"
    UNPIN = "unpin"
    EDIT = "edit"
    DISMISS = "dismiss"
    ADD = "add"
    REGENERATE = "regenerate"
    READY = "ready"
    WITHDRAW = "withdraw"
    ACCEPT = "accept"  # of an offer: whose it is changed, and no line; it can't be undone
    DECLINE = "decline"  # of an offer: nothing changed; it can't be undone


ANSWERS = frozenset((EditAction.ACCEPT, EditAction.DECLINE))  # to offers


class EditTarget(models.TextChoices):
    """What a change is of: knowledge of the conversation, which every later package has too, or this package alone."""

    ANCHOR = "anchor"
    TASK = "task"
    LINE = "line"
    PACKAGE = "package"


class HandoffEdit(StoredModel):
    """One change. `key` names the anchor, task or line; `before` and `after` are its fields, so that it can be undone.

    Made by a person, or by an agent with a key.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    handoff = models.ForeignKey(Handoff, on_delete=models.CASCADE, related_name="edits", db_index=False)
    action = models.CharField(max_length=10, choices=EditAction.choices)
    target = models.CharField(max_length=8, choices=EditTarget.choices)
    key = models.TextField(blank=True)
    reference = models.CharField(max_length=12, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    undone_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        indexes = [
            # A package's changes in their order.
            models.Index(fields=["handoff", "created_at"], name="handoff_edit_order"),
            # What a team's people accepted lately.
            models.Index(fields=["team", "-created_at"], condition=models.Q(action="accept"), name="handoff_edit_accepted"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.reference or self.target}"
