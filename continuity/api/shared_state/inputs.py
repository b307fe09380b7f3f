"""Shared states as callers send them."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from ninja import Field, Schema

from continuity.api.access import AGENT_HEADER, ApiRequest
from continuity.api.versions import expected_version
from continuity.models import StateEntry
from continuity.services.shared_state import state_queries
from continuity.services.shared_state.states import StateWriter
from continuity.shared_state.names import MergeRule, StateStrategy

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


def author_of(request: ApiRequest) -> str:
    named = request.headers.get(AGENT_HEADER, "").partition("/")[0]
    return f"agent {named}" if named else request.auth.name


def found(request: ApiRequest, scope: str, owner: str, key: str) -> StateEntry:
    return state_queries.get(team=request.auth.team, scope=scope, owner=owner, key=key)
