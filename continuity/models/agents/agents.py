"""Agents of a team, and the instances of them that ran."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.agents import strategies
from continuity.agents.statuses import LIVE, AgentStatus
from continuity.agents.strategies import Strategy
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.bus.subscriptions import POLICIES
from continuity.models.conversations import Conversation

STATUSES = [(each.value, each.value) for each in AgentStatus]
STRATEGIES = [(each.value, each.value) for each in Strategy]


class AgentQuerySet(models.QuerySet["Agent"]):
    def visible_to(self, team: Team) -> "AgentQuerySet":
        return self.filter(team=team)

    def live(self) -> "AgentQuerySet":
        """Agents that may be given work."""
        return self.filter(status__in=LIVE)


class Agent(StoredModel):
    """An agent that a team runs somewhere, found by its `name`.

    `epoch` is its fencing token: it grows with each instance and whenever one is declared over, and only who holds it together with
    `instance_id` may act for the agent; without an `instance_id` nobody may. `runner` owns its process (empty: it runs by itself, and
    nobody can start it anew). `status_before` is what it was when it was heard of last, `reason` why it is what it is.
    `failures` in a row, forgiven after `window_seconds` of being ready; more than `threshold` of them are a person's business.
    `timeout_seconds` bounds a restoration in all. `probes`: it answers probes.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=80)
    role = models.CharField(max_length=200, blank=True)
    expertise = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    priority = models.IntegerField(default=0)
    config = models.JSONField(default=dict, blank=True)
    topics = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    replay = models.CharField(max_length=20, choices=POLICIES)
    strategy = models.CharField(max_length=10, choices=STRATEGIES, default=Strategy.RESTART)
    backup = models.CharField(max_length=80, blank=True)
    threshold = models.PositiveIntegerField(default=strategies.THRESHOLD)
    timeout_seconds = models.PositiveIntegerField(default=strategies.TIMEOUT_SECONDS)
    window_seconds = models.PositiveIntegerField(default=strategies.WINDOW_SECONDS)
    probes = models.BooleanField(default=False)
    runner = models.CharField(max_length=120, blank=True)
    epoch = models.PositiveIntegerField(default=0)
    instance_id = models.UUIDField(null=True)
    status = models.CharField(max_length=12, choices=STATUSES, default=AgentStatus.REGISTERED)
    status_at = models.DateTimeField()
    status_before = models.CharField(max_length=12, choices=STATUSES, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    ready_at = models.DateTimeField(null=True)
    beat_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    recovered_at = models.DateTimeField(null=True)
    # Not `conversation`: nothing here repeats its words, and the agent outlives it.
    working_on = models.ForeignKey(Conversation, on_delete=models.SET_NULL, null=True, related_name="agents")

    objects = AgentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "name"], name="agent_once"),
            models.CheckConstraint(condition=models.Q(status__in=list(AgentStatus)), name="agent_status_known"),
        ]
        indexes = [
            # The monitor: who has to be heard of, over all teams, and who is on the way back.
            models.Index(
                fields=["status"],
                condition=models.Q(status__in=["ready", "active", "degraded", "recovering", "disconnected"]),
                name="agent_watched",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class AgentInstance(StoredModel):
    """One instance of an agent, from when it took its epoch until it was over; its id is what it shows with its epoch.

    `state_digest` is of the state that it was given and, once it is ready, of what it restored.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="instances", db_index=False)
    epoch = models.PositiveIntegerField()
    runner = models.CharField(max_length=120, blank=True)
    ready_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=40, blank=True)
    state_digest = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agent", "epoch"], name="agent_instance_once")]

    def __str__(self) -> str:
        return f"{self.agent_id} #{self.epoch}"
