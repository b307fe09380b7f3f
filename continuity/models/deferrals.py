"""Background work on one row that failed and is put off for a while."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import models

from continuity.core import clock
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation

LONGEST_PAUSE = timedelta(hours=1)


class DeferralQuerySet(models.QuerySet["Deferral"]):
    def not_yet_due(self, kind: str, now: datetime) -> models.QuerySet["Deferral", UUID]:
        """The ids of the rows on which work of this kind must wait, for `exclude(id__in=...)`."""
        waiting = self.filter(kind=kind).exclude(clock.due("not_before", now=now, longest=LONGEST_PAUSE))
        return waiting.values_list("subject_id", flat=True)


class Deferral(StoredModel):
    """Work of one `kind` on one row (`subject_id`) that was begun `attempts` times and did not succeed since it last did.

    It is not tried before `not_before`. `error` names the kind of the last failure and the line it came from, never words; it is
    empty while the work was begun and nobody told how it ended. The row goes when the work succeeds. `conversation` is the one that
    the subject belongs to, as far as that is known.
    """

    kind = models.CharField(max_length=40)
    subject_id = models.UUIDField()
    # Not checked by the database, which would wait for whoever holds the row that the work failed on.
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", null=True, db_constraint=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+", null=True, db_constraint=False)
    attempts = models.PositiveIntegerField(default=1)
    not_before = models.DateTimeField()
    error = models.CharField(max_length=200, blank=True)
    failed_at = models.DateTimeField(null=True)
    alerted_at = models.DateTimeField(null=True)

    objects = DeferralQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "subject_id"], name="deferral_once")]
        indexes = [
            # What nobody tried for long, to be forgotten.
            models.Index(fields=["not_before"], name="deferral_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, attempt {self.attempts}"
