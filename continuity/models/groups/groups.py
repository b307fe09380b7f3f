"""Groups: a conversation that several agents work in together, one at a time."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.groups.limits import GroupLimits
from continuity.groups.model import GroupStatus
from continuity.groups.strategies import STRATEGIES
from continuity.groups.workflow import Workflow, read
from continuity.models.accounts.teams import Team
from continuity.models.agents.agents import Agent
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation

GROUP_STATUSES = [(each.value, each.value) for each in GroupStatus]
SPEAKER_STRATEGIES = [(each, each) for each in STRATEGIES]


class GroupQuerySet(models.QuerySet["Group"]):
    def visible_to(self, team: Team) -> "GroupQuerySet":
        return self.filter(team=team)


class Group(StoredModel):
    """Agents that work together in one conversation.

    `step` is where the workflow is, `workflow_version` grows with each transition. `turns` and `tokens` count since a person spoke last, at
    `asked_at`; `asked_seq` is that message, `answered_seq` up to where the last selection had read. `routed_position` is up to which event
    the rules have seen that raise, lower and skip, `advanced_position` those that advance. `reason` says why it waits or is suspended.
    `due_at` is when the monitor is to look at it: null where only a message, an event or an agent makes something due. `advice` is whom a
    model named for which message.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.OneToOneField(Conversation, on_delete=models.CASCADE, related_name="group")
    strategy = models.CharField(max_length=20, choices=SPEAKER_STRATEGIES)
    status = models.CharField(max_length=10, choices=GROUP_STATUSES, default=GroupStatus.ACTIVE)
    status_at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)
    limits = models.JSONField(default=dict, blank=True)
    workflow = models.JSONField(default=list, blank=True)
    rules = models.JSONField(default=list, blank=True)
    step = models.CharField(max_length=80, blank=True)
    workflow_version = models.PositiveIntegerField(default=1)
    routed_position = models.BigIntegerField(default=0)
    advanced_position = models.BigIntegerField(default=0)
    selections = models.PositiveIntegerField(default=0)
    selected_at = models.DateTimeField(null=True)
    turns = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    asked_seq = models.PositiveIntegerField(default=0)
    answered_seq = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    advice = models.JSONField(default=dict, blank=True)
    created_by = models.CharField(max_length=255, blank=True)

    objects = GroupQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(status__in=list(GroupStatus)), name="group_status_known")]
        indexes = [
            models.Index(fields=["team", "-created_at"], name="group_team_recent"),
            # The monitor: what is due, and which groups wait for an agent.
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="group_due"),
            models.Index(fields=["team"], condition=models.Q(status="suspended"), name="group_suspended"),
            # What waits for a person.
            models.Index(fields=["team", "-status_at"], condition=models.Q(status__in=["waiting", "suspended"]), name="group_held_up"),
        ]

    def __str__(self) -> str:
        return f"group {self.id}"

    @property
    def bounds(self) -> GroupLimits:
        return GroupLimits.of(self.limits)

    @property
    def steps(self) -> Workflow:
        return read(self.workflow)


class GroupParticipant(StoredModel):
    """An agent in a group, at its `place`. `excluded`: it reads and never speaks. `joined_seq` is the conversation's last message when it
    joined; above 0 it gets a briefing, `handoff_id`. What is empty is as the agent has it."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="participants", db_index=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="groups")
    place = models.PositiveIntegerField()
    role = models.CharField(max_length=200, blank=True)
    expertise = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    priority = models.IntegerField(null=True)
    excluded = models.BooleanField(default=False)
    joined_seq = models.PositiveIntegerField(default=0)
    handoff_id = models.UUIDField(null=True)
    turns = models.PositiveIntegerField(default=0)
    last_turn = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "agent"], name="participant_once")]
        indexes = [
            # Late joiners whose briefing is not made yet.
            models.Index(fields=["created_at"], condition=models.Q(handoff_id=None, joined_seq__gt=0), name="participant_unbriefed"),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} in {self.group_id}"
