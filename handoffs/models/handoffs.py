"""The stored handoff package (CONT-01, CONT-04)."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.postgres.functions import RandomUUID, TransactionNow
from django.db import models
from django.db.models.functions import Cast
from django.utils import timezone

from continuity.models import ApiKey, Conversation, Team, User
from continuity.models.base import StoredModel
from handoffs.contract.model import Style
from handoffs.models.chains import HandoffChain
from handoffs.models.makers import maker_of

# What the check found missing, in millionths: a whole number, so that a cursor holds the very value.
LOSS = Cast((1.0 - models.F("fidelity_score")) * 1_000_000, models.BigIntegerField())

PATIENCE = timedelta(hours=1)  # between an offer and asking for an answer again

# Where the public form of a package has a column of its own; everything else of it is in `rest`.
COLUMNS = {
    "compactedSummary": "compacted_summary",
    "preservedAnchors": "anchors",
    "unfinishedWork": "pending_tasks",
    "state": "session_state",
    "metadata": "metadata",
    "directive": "continuation_directive",
    "fidelity": "fidelity",
}
# What is large; no list reads it.
DOCUMENTS = (*COLUMNS.values(), "rest", "text", "references", "secrets")


class HandoffStatus(models.TextChoices):
    DRAFT = "draft"
    READY = "ready"
    RESUMED = "resumed"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    FAILED = "failed"


# `newest_versions` in the words of the database, of a row that a statement calls `handoff`.
NEWEST_VERSION = """(handoff.resumed_at IS NOT NULL OR handoff.offered_to_id IS NOT NULL OR NOT EXISTS (
    SELECT FROM session_handoffs AS newer
    WHERE newer.conversation_id = handoff.conversation_id AND newer.created_at > handoff.created_at))"""
EARLIER_VERSIONS = """SELECT count(*) FROM session_handoffs AS before WHERE before.conversation_id = handoff.conversation_id
    AND before.created_at < handoff.created_at AND before.resumed_at IS NULL AND before.offered_to_id IS NULL"""

OFFERED = "offered"  # no status of its own: one of these, while somebody is asked
OFFERABLE = frozenset((HandoffStatus.DRAFT, HandoffStatus.READY))


class HandoffQuerySet(models.QuerySet["Handoff"]):
    def visible_to(self, team: Team) -> "HandoffQuerySet":
        return self.filter(team=team)

    def not_overtaken(self) -> "HandoffQuerySet":
        """Without those whose conversation was gone on from by another handoff since they were made: that one took up all that was said."""
        since = Handoff.objects.filter(conversation=models.OuterRef("conversation"), resumed_at__gt=models.OuterRef("created_at"))
        return self.filter(~models.Exists(since.exclude(id=models.OuterRef("id"))))

    def newest_versions(self) -> "HandoffQuerySet":
        """Without those that nobody resumed, nor has to answer, and that a newer one of the same conversation stands for; `earlier` is how
        many such ones came before each."""
        of_it = Handoff.objects.filter(conversation=models.OuterRef("conversation"))
        newer = of_it.filter(created_at__gt=models.OuterRef("created_at"))
        before = of_it.filter(created_at__lt=models.OuterRef("created_at"), resumed_at=None, offered_to=None)
        counted = before.order_by().values("conversation").annotate(number=models.Count("*")).values("number")
        kept = models.Q(resumed_at__isnull=False) | models.Q(offered_to__isnull=False) | ~models.Exists(newer)
        return self.filter(kept).annotate(earlier=models.Subquery(counted))

    def standing(self, standing: str) -> "HandoffQuerySet":
        """Those of which people are told this `Handoff.standing`."""
        if standing == OFFERED:
            return self.filter(status__in=OFFERABLE, offered_to__isnull=False)
        rows = self.filter(status=standing)
        return rows.filter(offered_to=None) if standing in OFFERABLE else rows

    def expired_unresumed(self, now: datetime) -> "HandoffQuerySet":
        return self.filter(expires_at__lte=now, resumed_at=None)


class Handoff(StoredModel):
    """A package and the check of it; it covers its conversation up to message `through_seq`.

    `anchors`, `pending_tasks`, `session_state`, `metadata` and `continuation_directive` are CONT-01's records as JSON;
    `rest` is what else the public form of the package has, which `package` is the whole of. `text` is the directive as
    rendered, `secrets` the spans in it to be masked. `references` holds the key behind every short reference ever given out
    (of a file its path), `version` counts changes for If-Match. `automatic` ones were made by the decision; `context_tokens`
    filled the window then.
    `position` is how many handoffs lead up to it in its chain, itself counted, so that several of one session share it; `number` is its
    own in the chain, by which people tell it apart. `made_by` prepared it, or whose key did (`made_with`), which does not change;
    `owner` does when it is handed over.
    `workspace` is the head commit and the hashes of files as the old session left them, where its client told.
    `origin` is empty but for a package of another installation: who signed it, and which handoff it was there.
    `resumed_at` and `resumed_conversation` mirror the first `Resumption`.
    """

    # What CONT-04's table has by default, it has here too.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, db_default=RandomUUID(), editable=False)
    created_at = models.DateTimeField(default=timezone.now, db_default=TransactionNow(), editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="handoffs")
    chain = models.ForeignKey(HandoffChain, on_delete=models.CASCADE, related_name="handoffs")
    position = models.PositiveIntegerField()
    number = models.PositiveIntegerField(default=1, db_default=1)
    previous_handoff = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="next_handoffs")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="handoffs")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    made_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    offered_to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="offers")
    offered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    offered_at = models.DateTimeField(null=True, blank=True)
    offer_note = models.CharField(max_length=500, blank=True, default="", db_default="")
    status = models.CharField(max_length=10, choices=HandoffStatus.choices, default=HandoffStatus.READY)
    automatic = models.BooleanField(default=False)
    through_seq = models.PositiveIntegerField()
    context_tokens = models.PositiveBigIntegerField(default=0)
    workspace = models.JSONField(default=dict)
    origin = models.JSONField(default=dict)
    compacted_summary = models.TextField()
    anchors = models.JSONField()
    pending_tasks = models.JSONField()
    session_state = models.JSONField(null=True)
    metadata = models.JSONField()
    continuation_directive = models.JSONField(null=True)
    rest = models.JSONField()
    text = models.TextField()
    references = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    secrets = models.JSONField(default=list)
    style = models.CharField(max_length=12, choices=[(style.value, style.value) for style in Style])
    token_budget = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField()
    fidelity = models.JSONField()
    fidelity_score = models.FloatField()
    failure = models.TextField(blank=True)
    messages_after = models.PositiveIntegerField(default=0)
    resumed_at = models.DateTimeField(null=True, blank=True)
    resumed_conversation = models.ForeignKey(Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    expires_at = models.DateTimeField(db_default=TransactionNow() + timedelta(days=30))

    objects = HandoffQuerySet.as_manager()

    class Meta:
        db_table = "session_handoffs"
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=HandoffStatus.values), name="handoff_status_known"),
            models.CheckConstraint(condition=models.Q(fidelity_score__gte=0, fidelity_score__lte=1), name="handoff_fidelity_range"),
            models.UniqueConstraint(fields=["id", "team"], name="handoff_id_team"),
        ]
        indexes = [
            # The latest of a conversation (GetLatestForConversationAsync).
            models.Index(fields=["conversation", "-created_at"], name="idx_handoffs_conversation"),
            # The cleanup of what nobody resumed.
            models.Index(fields=["expires_at"], condition=models.Q(resumed_at=None), name="idx_handoffs_expires"),
            models.Index(fields=["chain", "position"], name="handoff_chain_position"),
            # The team's latest, and the figures of its last weeks without the packages.
            models.Index(
                fields=["team", "-created_at"],
                include=["status", "fidelity_score", "token_count", "context_tokens"],
                name="handoff_team_figures",
            ),
            # The latest of all teams, for operators.
            models.Index(fields=["-created_at", "-id"], name="handoff_recent"),
            # The team's least faithful ones.
            models.Index(fields=["team", "fidelity_score", "-created_at"], name="handoff_team_fidelity"),
            # The team's list by loss and by size, with the id that breaks ties.
            models.Index(models.F("team"), LOSS.desc(), models.F("id").desc(), name="handoff_team_loss"),
            models.Index(fields=["team", "-token_count", "-id"], name="handoff_team_size"),
            # What was accepted and not resumed yet.
            models.Index(
                fields=["team", "-offered_at"],
                condition=models.Q(status="ready", offered_to=None, offered_by__isnull=False, resumed_at=None),
                name="handoff_accepted",
            ),
            # What waits for a person: drafts to review and failed checks.
            models.Index(fields=["team", "-created_at"], condition=models.Q(status__in=["draft", "failed"]), name="handoff_needs_review"),
        ]

    @property
    def package(self) -> dict[str, Any]:
        """The whole package in its public form. Queries for each document that was left out when the row was read."""
        return {**self.rest, **{name: getattr(self, column) for name, column in COLUMNS.items()}}

    @package.setter
    def package(self, public: Mapping[str, Any]) -> None:
        for name, column in COLUMNS.items():
            setattr(self, column, public[name])
        self.rest = {name: value for name, value in public.items() if name not in COLUMNS}

    @property
    def maker(self) -> User | str:
        """Who prepared it, to be shown."""
        return maker_of(self)

    @property
    def standing(self) -> str:
        """The status as people are told of it: one that is offered waits for an answer."""
        return OFFERED if self.offered_to_id and self.status in OFFERABLE else self.status

    @property
    def may_remind(self) -> bool:
        """Whether it was offered so long ago, without an answer, that one may ask again."""
        return self.offered_at is not None and timezone.now() - self.offered_at >= PATIENCE

    def __str__(self) -> str:
        return f"handoff {self.number} of {self.chain_id}"
