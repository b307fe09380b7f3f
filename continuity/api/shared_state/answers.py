"""Shared states as callers get them."""

from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import AwareDatetime

from continuity.models import StateEntry
from continuity.services.shared_state.state_writes import WrittenState
from continuity.shared_state.names import ConflictKind, MergeRule, StateScope, StateStrategy
from continuity.shared_state.values import ABSENT


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
