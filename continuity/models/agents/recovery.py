"""Failures of agents and what was done about them, and the incidents in which many of a team failed together."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.agents.names import OrderKind, OrderStatus
from continuity.agents.strategies import FailureCause, RecoveryAction
from continuity.models.accounts.teams import Team
from continuity.models.agents.agents import Agent
from continuity.models.base import StoredModel

CAUSES = [(each.value, each.value) for each in FailureCause]
ACTIONS = [(each.value, each.value) for each in RecoveryAction]
KINDS = [(each.value, each.value) for each in OrderKind]
ORDER_STATUSES = [(each.value, each.value) for each in OrderStatus]


class AttemptStatus(models.TextChoices):
    """`waiting` for its runner or its backup; `told`: a person was, and nobody tries by himself."""

    WAITING = "waiting", "Waiting"
    RESTORING = "restoring", "Restoring"
    SUCCEEDED = "succeeded", "Succeeded"
    FAILED = "failed", "Failed"
    TOLD = "told", "Told a person"
    OVERTAKEN = "overtaken", "Overtaken"


class RecoveryAttempt(StoredModel):
    """One failure of an agent and what is done about it; the row's time is that of the failure.

    `ended_epoch` is the instance that failed, `epoch` what the agent's was when the attempt began: who claims the next one compares with
    it. `due_at` is when the back-off is over. `detection_ms` is what passed from the last beat until the failure was known, where it was
    found by silence. `conversation_id` and `handoff_id` are what the backup goes on with.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    cause = models.CharField(max_length=12, choices=CAUSES)
    action = models.CharField(max_length=10, choices=ACTIONS)
    status = models.CharField(max_length=10, choices=AttemptStatus.choices, default=AttemptStatus.WAITING)
    failures = models.PositiveIntegerField(default=0)
    ended_epoch = models.PositiveIntegerField()
    epoch = models.PositiveIntegerField()
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    detection_ms = models.FloatField(null=True)
    exit_code = models.IntegerField(null=True)
    signal = models.IntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    backup = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="+")
    conversation_id = models.UUIDField(null=True)
    handoff_id = models.UUIDField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["agent", "-created_at"], name="attempt_agent_recent"),
            # Whether many agents of a team failed at once.
            models.Index(fields=["team", "-created_at"], name="attempt_team_recent"),
            # The monitor, and who prepares briefings: what is under way.
            models.Index(fields=["created_at"], condition=models.Q(status__in=["waiting", "restoring"]), name="attempt_under_way"),
        ]

    def __str__(self) -> str:
        return f"{self.cause} → {self.action} ({self.status})"


class AgentOrder(StoredModel):
    """What an agent or its runner is to do; given with the answers to beats until it is acknowledged. `details` are ids and numbers."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="orders", db_index=False)
    kind = models.CharField(max_length=12, choices=KINDS)
    status = models.CharField(max_length=10, choices=ORDER_STATUSES, default=OrderStatus.OPEN)
    attempt = models.ForeignKey(RecoveryAttempt, on_delete=models.SET_NULL, null=True, related_name="orders")
    details = models.JSONField(default=dict)
    asked_by = models.CharField(max_length=255, blank=True)
    over_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=80, blank=True)

    class Meta:
        indexes = [
            # The answer to a beat: what an agent has to do.
            models.Index(fields=["agent"], condition=models.Q(status="open"), name="agent_order_open"),
            models.Index(fields=["agent", "-created_at"], name="agent_order_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.status})"


class IncidentQuerySet(models.QuerySet["Incident"]):
    def visible_to(self, team: Team) -> "IncidentQuerySet":
        return self.filter(team=team)

    def open(self) -> "IncidentQuerySet":
        return self.filter(ended_at=None)


class Incident(StoredModel):
    """More than three agents of a team failed within half a minute: until `ended_at` the team is in degradation (FR-010a).

    `calm_seconds` is for how long fewer than two have been failed; `retried_at` when those that gave up were last tried again.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    correlation_id = models.CharField(max_length=64)
    agents = ArrayField(models.CharField(max_length=80), default=list)
    limit = models.PositiveIntegerField()
    calm_seconds = models.FloatField(default=0.0)
    retried_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = IncidentQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team"], condition=models.Q(ended_at=None), name="incident_one_open")]
        indexes = [models.Index(fields=["team", "-created_at"], name="incident_team_recent")]

    def __str__(self) -> str:
        return f"{len(self.agents)} agents, {self.created_at:%Y-%m-%d %H:%M}"
