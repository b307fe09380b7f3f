"""A conversation: one session of one or several agents, with messages in order."""

from datetime import datetime

from django.conf import settings
from django.contrib.postgres.indexes import HashIndex
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from continuity import secrets
from continuity.knowledge import versions
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.windows import WindowSource


class ConversationStatus(models.TextChoices):
    ACTIVE = "active"
    IDLE = "idle"
    HANDED_OFF = "handed_off"
    EXPIRED = "expired"
    INVALIDATED = "invalidated"
    INVALIDATED_PENDING_CLEANUP = "invalidated_pending_cleanup"


IN_USE = (ConversationStatus.ACTIVE, ConversationStatus.IDLE)

# As the index has it: in whole numbers, and divided first, so that no window is too large for it.
FILLING = models.Q(context_tokens__gte=models.F("max_context_tokens") / 10 * 7)


def within(folder: str, of: str = "") -> models.Q:
    """Whether a conversation worked in the folder or below it; `of` leads to it from another row, such as `conversation__`."""
    return models.Q(**{f"{of}cwd": folder}) | models.Q(**{f"{of}cwd__startswith": f"{folder.rstrip('/')}/"})


def newest_detectors() -> int:
    """The version of the detectors that search today's messages for secrets."""
    return secrets.VERSION


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, team: Team) -> "ConversationQuerySet":
        return self.filter(team=team)

    def unfolded(self) -> "ConversationQuerySet":
        """Conversations with messages that the fold has not read and may read: newer rules than ours folded none of the others."""
        left = self.filter(last_seq__gt=models.F("folded_seq"))
        return left.exclude(fold__rules_version__gt=versions.RULES_VERSION)

    def quiet(self, since: datetime) -> "ConversationQuerySet":
        """Active ones that nothing was said in after `since`."""
        return self.filter(active_at__lte=since, status=ConversationStatus.ACTIVE)

    def going_on(self) -> "ConversationQuerySet":
        """Conversations that messages may still be added to and that nobody went on from."""
        return self.filter(status__in=[ConversationStatus.ACTIVE, ConversationStatus.IDLE])

    def untouched(self) -> "ConversationQuerySet":
        """Conversations without a message and without a tool's session."""
        return self.going_on().filter(last_seq=0, external_id="")

    def filling(self) -> "ConversationQuerySet":
        """Conversations whose window is used to 70 % or more."""
        return self.filter(FILLING)

    def lapsed(self, now: datetime) -> "ConversationQuerySet":
        """Conversations whose time is over and that are not marked yet."""
        return self.filter(expires_at__lte=now, status__in=[ConversationStatus.ACTIVE, ConversationStatus.IDLE])


class Conversation(StoredModel):
    """Counters are kept by `append` under the row's lock; `context_tokens` is what fills the window now.

    `active_at` is when something was last said in it: the time of its latest message by the tool's own clock, or when that was
    recorded where the tool gave none. A session that is imported later keeps its own time; `updated_at` is the row's.
    `last_seq` is the last message's number, `folded_seq` the last one distilled. `version` counts changes for If-Match,
    `conflicts` how often a writer found another version than it had read (FR-005). `rewinds` counts how often
    messages or knowledge were taken back: what was made from an earlier reading must not be stored.
    `max_context_tokens` is null where the window is not known; `window_source` says from where it is (`windows.WindowSource`), and
    `window_evidence` holds all that is known of it (`windows.Evidence`). `given` names which of `cwd` and `branch` a caller gave
    (`services.given`).
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="conversations")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="conversations")
    resumed_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="successors")
    title = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=28, choices=ConversationStatus.choices, default=ConversationStatus.ACTIVE)
    source_tool = models.CharField(max_length=40, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    provider = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=120, blank=True)
    max_context_tokens = models.PositiveIntegerField(null=True, blank=True)
    window_source = models.CharField(
        max_length=12, blank=True, default="", db_default="", choices=[(source.value, source.value) for source in WindowSource]
    )
    window_evidence = models.JSONField(default=dict, db_default={}, blank=True)
    cwd = models.TextField(blank=True)
    branch = models.TextField(blank=True)
    given = models.JSONField(default=dict, db_default={}, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField()
    updated_at = models.DateTimeField(auto_now=True)
    active_at = models.DateTimeField(default=timezone.now, db_default=Now())

    last_seq = models.PositiveIntegerField(default=0)
    folded_seq = models.PositiveIntegerField(default=0)
    refold_from = models.PositiveIntegerField(null=True, blank=True)
    rewinds = models.PositiveIntegerField(default=0)
    conflicts = models.PositiveIntegerField(default=0)
    message_count = models.PositiveIntegerField(default=0)
    turn_count = models.PositiveIntegerField(default=0)
    total_tokens = models.PositiveBigIntegerField(default=0)
    system_tokens = models.PositiveBigIntegerField(default=0)
    context_tokens = models.PositiveBigIntegerField(default=0)
    last_message_tokens = models.PositiveIntegerField(default=0)
    reported_usage_id = models.CharField(max_length=200, blank=True)
    # The detectors that its messages were searched with; the default is the database's for writers of an older release.
    secrets_version = models.PositiveSmallIntegerField(default=newest_detectors, db_default=1)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "source_tool", "external_id"], condition=~models.Q(external_id=""), name="conversation_source_once"
            ),
            # Referred to by the composite foreign keys that keep a row's team the same as its conversation's.
            models.UniqueConstraint(fields=["id", "team"], name="conversation_id_team"),
            models.CheckConstraint(condition=models.Q(status__in=ConversationStatus.values), name="conversation_status_known"),
            models.CheckConstraint(condition=models.Q(max_context_tokens__gt=0), name="conversation_window_positive"),
        ]
        indexes = [
            # The team's list, newest activity first, with the id that breaks ties.
            models.Index(fields=["team", "-active_at", "-id"], name="conversation_latest"),
            # The sweep that finds what still has to be distilled.
            models.Index(fields=["updated_at"], condition=models.Q(last_seq__gt=models.F("folded_seq")), name="conversation_unfolded"),
            models.Index(fields=["expires_at"], condition=models.Q(status__in=["active", "idle"]), name="conversation_expiry"),
            models.Index(fields=["active_at"], condition=models.Q(status="active"), name="conversation_quiet"),
            # The team's few that need a person soon.
            models.Index(fields=["team", "-active_at"], condition=FILLING, name="conversation_fullest"),
            # What a session that starts in a folder asks for. A folder's name may be longer than a B-tree takes.
            HashIndex(fields=["cwd"], condition=~models.Q(cwd=""), name="conversation_folder"),
            # The batch job that searches again with new detectors.
            models.Index(fields=["secrets_version"], name="conversation_secrets"),
            # Creations per team and hour, for the limit.
            models.Index(fields=["team", "created_at"], name="conversation_created"),
        ]

    def __str__(self) -> str:
        return self.title or str(self.id)

    @property
    def standing(self) -> str:
        """The status as people are told of it: one that was opened to go on from another waits until its session says something."""
        waits = self.resumed_from_id is not None and self.last_seq == 0
        return "waiting for its session" if waits and self.status in IN_USE else self.status

    @property
    def utilization(self) -> float | None:
        """Share of the window in use, 0..1, None where the window is unknown; a count above the window is wrong and shows as full."""
        return min(1.0, self.context_tokens / self.max_context_tokens) if self.max_context_tokens else None
