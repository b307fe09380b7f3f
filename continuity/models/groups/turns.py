"""Who was chosen to speak, why, and what came of it; and how a workflow went from step to step."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.groups.model import SelectionOutcome, TurnStatus
from continuity.models.agents.agents import Agent
from continuity.models.base import StoredModel
from continuity.models.groups.groups import SPEAKER_STRATEGIES, Group

OUTCOMES = [(each.value, each.value) for each in SelectionOutcome]
TURN_STATUSES = [(each.value, each.value) for each in TurnStatus]


class GroupSelection(StoredModel):
    """One choice of a speaker, whether somebody was chosen or not; its time is that of the choice.

    `scores` and `refused` are by agents' names; `events` are ids of those behind it. `took_ms` is what the choice took. Where an agent was
    `chosen` the row is its turn too: held by the instance with `epoch` once it was `claimed_at`, until `lease_until`; `first_seq` to
    `last_seq` is what it said, `news` whether that was new. `thumb` is what a person thinks of the choice: 1 or -1.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="chosen", db_index=False)
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, choices=OUTCOMES)
    strategy = models.CharField(max_length=20, choices=SPEAKER_STRATEGIES)
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=80, blank=True)
    step = models.CharField(max_length=80, blank=True)
    scores = models.JSONField(default=dict)
    refused = models.JSONField(default=dict)
    reason = models.CharField(max_length=400)
    fallback = models.BooleanField(default=False)
    events = ArrayField(models.CharField(max_length=36), default=list)
    took_ms = models.FloatField(default=0.0)
    read_seq = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=10, choices=TURN_STATUSES, blank=True)
    epoch = models.PositiveIntegerField(null=True)
    claimed_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    first_seq = models.PositiveIntegerField(null=True)
    last_seq = models.PositiveIntegerField(null=True)
    news = models.BooleanField(default=True)
    thumb = models.SmallIntegerField(default=0)
    thumb_by = models.CharField(max_length=255, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "number"], name="selection_once"),
            models.UniqueConstraint(fields=["group"], condition=models.Q(status="open"), name="turn_one_open"),
            models.CheckConstraint(condition=models.Q(thumb__in=[-1, 0, 1]), name="selection_thumb"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.name or self.outcome}"


class GroupTransition(StoredModel):
    """The workflow went from one step to another, as version `version`; `events` are ids of those behind it."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="transitions", db_index=False)
    version = models.PositiveIntegerField()
    before = models.CharField(max_length=80)
    after = models.CharField(max_length=80)
    by = models.CharField(max_length=255, blank=True)
    seq = models.PositiveIntegerField(default=0)
    events = ArrayField(models.CharField(max_length=36), default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "version"], name="transition_once")]

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"
