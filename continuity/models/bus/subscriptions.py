"""Who is told of which events, and how far they came."""

from django.db import models

from continuity.events.policies import ReplayPolicy
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.events import Event

POLICIES = [(each.value, each.value) for each in ReplayPolicy]


class SubscriptionKind(models.TextChoices):
    PULL = "pull", "Asks for its events"
    WEBHOOK = "webhook", "Is sent its events"


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def visible_to(self, team: Team) -> "SubscriptionQuerySet":
        return self.filter(team=team)


class Subscription(StoredModel):
    """One subscriber of a team's events whose topics match `pattern`; `agent` is the name of the agent that it belongs to, if any.

    `position`: everything up to there was handed to it or passed over; what it has not acknowledged stands in `Delivery`.
    `replay_through`: up to there its `policy` decides what it gets, since it was away when it happened. `epoch` grows each time that
    an instance of it begins, and fences off the one before. `gap_through` is the position of the last event that retention deleted
    before it was handed over; 0 where it missed none, and again once it was told; negative where it would have got none of what is gone
    by the policy that it had, if it was away.
    `failures` in a row of a webhook: until `resting_until` it is left alone.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=80)
    agent = models.CharField(max_length=80, blank=True)
    pattern = models.CharField(max_length=4100)
    policy = models.CharField(max_length=20, choices=POLICIES, default=ReplayPolicy.CRITICAL_ONLY)
    kind = models.CharField(max_length=10, choices=SubscriptionKind.choices, default=SubscriptionKind.PULL)
    url = models.CharField(max_length=500, blank=True)
    secret_version = models.PositiveIntegerField(default=1)
    paused = models.BooleanField(default=False)
    position = models.BigIntegerField(default=0)
    replay_through = models.BigIntegerField(default=0)
    epoch = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    gap_through = models.BigIntegerField(default=0)
    gaps = models.PositiveIntegerField(default=0)
    replayed = models.PositiveIntegerField(default=0)
    replay_failed = models.PositiveIntegerField(default=0)
    degraded_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    resting_until = models.DateTimeField(null=True)
    created_by = models.CharField(max_length=255, blank=True)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="subscription_once")]
        indexes = [
            # The monitor: webhooks that want something.
            models.Index(fields=["position"], condition=models.Q(kind="webhook", paused=False), name="subscription_webhooks"),
            # The purge: who had not come so far.
            models.Index(fields=["team", "position"], name="subscription_behind"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.pattern})"


class Delivery(StoredModel):
    """An event that a subscriber was handed and has not acknowledged: it is given again at `due_at`.

    `attempts` counts how often it was handed over; `latency_ms` is what the first took since it was published, None where it had
    been missed. `reason` is why it waits for the next attempt: empty where nothing was said of the last one. The row becomes an
    `Acknowledgement` or a `DeadLetter`.
    """

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    position = models.BigIntegerField()
    attempts = models.PositiveIntegerField(default=1)
    due_at = models.DateTimeField()
    latency_ms = models.FloatField(null=True)
    replay = models.BooleanField(default=False)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subscription", "event"], name="delivery_once")]
        indexes = [
            # What is to be given again, for one subscriber, and for the monitor over all.
            models.Index(fields=["subscription", "due_at"], name="delivery_due_of"),
            models.Index(fields=["due_at"], name="delivery_due"),
        ]

    def __str__(self) -> str:
        return f"#{self.position}, attempt {self.attempts}"


class Acknowledgement(models.Model):
    """A record that a subscriber handled an event. Registries in memory are caches of these rows. It goes with its event."""

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="acknowledgements", db_index=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    position = models.BigIntegerField()
    attempts = models.PositiveIntegerField(default=1)
    acknowledged_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subscription", "event"], name="acknowledgement_once")]

    def __str__(self) -> str:
        return f"#{self.position} by {self.subscription_id}"
