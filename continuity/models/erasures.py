"""Records of erasures: who, when, and how far it has come; never the words."""

from django.conf import settings
from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.jobs import Job


class ErasureScope(models.TextChoices):
    CONVERSATION = "conversation", "A whole conversation"
    PLACE = "place", "One span of a message"
    WORDS = "words", "Words, wherever they stand"


class Erasure(StoredModel):
    """The tombstone of an erase. `created_at` is when the rows went, `completed_at` when nothing was left outside of them either.

    `conversation` is only the id, since the row may be gone. `source` is a digest of tool and session id, by which an
    import that waits for its turn is told that its session was erased. `removed` counts rows by table.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="erasures")
    conversation = models.UUIDField()
    scope = models.CharField(max_length=12, choices=ErasureScope.choices)
    seq = models.PositiveIntegerField(null=True, blank=True)
    part = models.PositiveIntegerField(null=True, blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    source = models.CharField(max_length=64, blank=True)
    erased_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    erased_as = models.CharField(max_length=200)
    job = models.OneToOneField(Job, on_delete=models.RESTRICT, related_name="erasure")
    removed = models.JSONField(default=dict)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation"], condition=models.Q(scope="conversation"), name="erasure_of_conversation_once"),
            models.CheckConstraint(condition=models.Q(scope__in=ErasureScope.values), name="erasure_scope_known"),
        ]
        indexes = [
            # Those that are not complete, for the sweep.
            models.Index(fields=["created_at"], condition=models.Q(completed_at=None), name="erasure_incomplete"),
            models.Index(fields=["team", "source"], condition=~models.Q(source=""), name="erasure_source"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} of {self.conversation}"
