"""Shared states as callers send and get them."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from ninja import Field, Schema
from pydantic import AwareDatetime

from continuity.api.access import AGENT_HEADER, ApiRequest
from continuity.api.versions import expected_version
from continuity.models import StateEntry
from continuity.services.shared_state import state_queries
from continuity.services.shared_state.state_writes import WrittenState
from continuity.services.shared_state.states import StateWriter
from continuity.shared_state.names import ConflictKind, MergeRule, StateScope, StateStrategy
from continuity.shared_state.values import ABSENT

BASE = Field(None, ge=0, le=2**31 - 1, description="The version that was read; the state's strategy decides where it is not the latest.")
WRITE_ID = Field(None, description="The writer's own (UUID, version 4): sent again with it, the write is stored once.")


class WriteIn(Schema):
    base: int | None = BASE
    id: UUID | None = WRITE_ID
    strict: bool = Field(
        False, description="Refuse (412) where `base` is not the latest version, whatever the strategy, as `If-Match` does."
    )

    def writer(self, request: ApiRequest) -> StateWriter:
        """`If-Match` is stricter than `base`: where that is not the latest version, the write is refused whatever the strategy."""
        matched = expected_version(request.headers.get("If-Match", ""))
        base = self.base if matched is None else matched
        return StateWriter(author=author_of(request), now=timezone.now(), base=base, strict=self.strict or matched is not None, id=self.id)


class PutIn(WriteIn):
    value: Any = Field(description="Any JSON, at most 64 KB and 32 levels deep. Secrets in it are masked before it is stored.")
    strategy: StateStrategy | None = Field(None, description="From now on; at first `last_write_wins`.")
    merges: dict[str, MergeRule] | None = Field(
        None, description="How `merge` treats places (JSON Pointers, `*` for any key): `counter` or `set`.", examples=[{"/done": "counter"}]
    )


class PatchIn(WriteIn):
    patch: Any = Field(description="A JSON Merge Patch (RFC 7396): null removes a key.")


class RestoreIn(WriteIn):
    version: int = Field(ge=1, le=2**31 - 1)


class ResolveIn(Schema):
    take: int | None = Field(None, ge=0, le=2**31 - 1, description="One of the versions that wait, or the one that readers see.")
    value: Any = Field(None, description="Another value, in the place of all of them.")
    base: int | None = Field(None, ge=0, le=2**31 - 1, description="The latest version that was seen; 412 where more came since.")


class SharedStateOut(Schema):
    """A state as readers see it. `version` is what to send as `base`; `latest` is another one only while the state is `unresolved`, since
    `contenders` wait for a person. `value` is null also where the state was `removed`."""

    id: UUID
    scope: StateScope
    owner_id: UUID
    key: str
    value: Any
    version: int
    latest: int
    strategy: StateStrategy
    merges: dict[str, MergeRule]
    removed: bool
    unresolved: bool
    author: str
    digest: str
    size: int
    position: int
    oldest_version: int
    updated_at: AwareDatetime

    @staticmethod
    def resolve_value(row: StateEntry) -> Any:
        return None if row.value is ABSENT else row.value

    @staticmethod
    def resolve_version(row: StateEntry) -> int:
        return row.shown

    @staticmethod
    def resolve_latest(row: StateEntry) -> int:
        return row.version

    @staticmethod
    def resolve_oldest_version(row: StateEntry) -> int:
        return row.oldest


class WrittenOut(Schema):
    """`number` is the version that the write made; `unchanged` where it made none: it said nothing new, or had been stored before.
    `conflict` tells what it did to versions that its writer had not seen, `places` where."""

    number: int
    conflict: ConflictKind
    places: list[str]
    unchanged: bool
    state: SharedStateOut

    @staticmethod
    def resolve_state(row: WrittenState) -> StateEntry:
        return row.entry


class VersionOut(Schema):
    """`base` is the version that its writer had read; `restored` the one that it brought back, or that a person chose."""

    number: int
    author: str
    conflict: ConflictKind
    base: int | None
    places: list[str]
    restored: int | None
    digest: str
    position: int
    created_at: AwareDatetime


class ValueOut(Schema):
    """The value of one version, null also where that removed the state."""

    version: VersionOut
    value: Any
    removed: bool


class ChangesOut(Schema):
    """States that changed, each as it is now. Ask again with `position` and `generation`: at once where there is `more`, else after
    `sync_interval_ms`. With `reset` what the caller holds is worth nothing: these are the first of all states."""

    items: list[SharedStateOut]
    position: int
    generation: int
    more: bool
    reset: bool
    sync_interval_ms: int


class MarkedOut(Schema):
    before: str
    changed: str
    after: str


class ChangedPlaceOut(Schema):
    """`old` is null where the place is new, `new` where it is gone; what differs is `changed`."""

    place: str
    old: MarkedOut | None
    new: MarkedOut | None


class StateDiffOut(Schema):
    """`more` counts the places that are not listed."""

    first: int
    second: int
    places: list[ChangedPlaceOut]
    more: int


def author_of(request: ApiRequest) -> str:
    named = request.headers.get(AGENT_HEADER, "").partition("/")[0]
    return f"agent {named}" if named else request.auth.name


def found(request: ApiRequest, scope: str, owner: str, key: str) -> StateEntry:
    return state_queries.get(team=request.auth.team, scope=scope, owner=owner, key=key)
