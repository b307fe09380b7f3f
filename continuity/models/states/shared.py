"""State that agents share: what stands now under each key, and the versions that led there."""

from typing import Any

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.agents.agents import Agent
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation
from continuity.shared_state.names import ConflictKind, StateScope, StateStrategy
from continuity.shared_state.values import ABSENT

SCOPES = [(each.value, each.value) for each in StateScope]
STRATEGIES = [(each.value, each.value) for each in StateStrategy]
CONFLICTS = [(each.value, each.value) for each in ConflictKind]


class StateEntryQuerySet(models.QuerySet["StateEntry"]):
    def visible_to(self, team: Team) -> "StateEntryQuerySet":
        return self.filter(team=team)

    def there(self) -> "StateEntryQuerySet":
        """States that were not removed."""
        return self.filter(removed=False)


class StateEntry(StoredModel):
    """One state: a JSON value under a key, in a scope that `owner_id` names (an agent's, a conversation's, a team's id).

    `version` is the number of the latest version, `shown` of the one that readers see: another one while the state is `unresolved`, since
    two versions wait for a person to choose. `stored` is the value that readers see, as a list of one, empty where the state was removed
    (a value may be null). `position` grows with every change in the team and becomes visible in its order. `oldest` is the first version
    kept, `since_snapshot` how many there are from the last snapshot on. The row goes with its agent, its conversation and its team.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    scope = models.CharField(max_length=12, choices=SCOPES)
    owner_id = models.UUIDField()
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+", null=True)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+", null=True)
    key = models.CharField(max_length=120)
    strategy = models.CharField(max_length=16, choices=STRATEGIES, default=StateStrategy.LAST_WRITE_WINS)
    merges = models.JSONField(default=dict)
    stored = models.JSONField(default=list)
    removed = models.BooleanField(default=False)
    unresolved = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0)
    shown = models.PositiveIntegerField(default=0)
    oldest = models.PositiveIntegerField(default=1)
    since_snapshot = models.PositiveIntegerField(default=0)
    position = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    size = models.PositiveIntegerField(default=0)
    history_size = models.PositiveIntegerField(default=0)
    author = models.CharField(max_length=120, blank=True)
    updated_at = models.DateTimeField()

    objects = StateEntryQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner_id", "key", "scope", "team"], name="state_once")]
        indexes = [
            # What changed since a position, in a team and in one scope.
            models.Index(fields=["team", "position"], name="state_team_position"),
            models.Index(fields=["owner_id", "position"], name="state_owner_position"),
            # Home and the page: what waits for a person.
            models.Index(fields=["team", "-position"], condition=models.Q(unresolved=True), name="state_unresolved"),
            # The purge: what was removed long ago.
            models.Index(fields=["updated_at"], condition=models.Q(removed=True), name="state_removed"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"

    @property
    def value(self) -> Any:
        """The value that readers see; ABSENT where it was removed."""
        return self.stored[0] if self.stored else ABSENT


class StateVersion(StoredModel):
    """One change of a state. `snapshot` is its value as a list of one, empty where it removed the state; `difference` what leads to it from
    the version before; a row has one of both (continuity.shared_state.history).

    `base` is the version that its writer had read, null where he did not say. `places` are where it met others' changes (JSON Pointers).
    `write_id` is the writer's own, so that the same write sent again is stored once. `restored` names the version that it brought back.
    """

    entry = models.ForeignKey(StateEntry, on_delete=models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    position = models.BigIntegerField()
    author = models.CharField(max_length=120, blank=True)
    conflict = models.CharField(max_length=12, choices=CONFLICTS, default=ConflictKind.NONE)
    base = models.PositiveIntegerField(null=True)
    places = models.JSONField(default=list)
    difference = models.JSONField(null=True)
    snapshot = models.JSONField(null=True)
    size = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    restored = models.PositiveIntegerField(null=True)
    write_id = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "number"], name="state_version_once"),
            models.UniqueConstraint(fields=["entry", "write_id"], condition=models.Q(write_id__isnull=False), name="state_write_once"),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"
