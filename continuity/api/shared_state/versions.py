"""The versions of a state: what it was, what changed, bringing one back, ending a conflict, erasing all."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import ADMIN, READ, WRITE, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.api.shared_state.answers import StateDiffOut, ValueOut, VersionOut, WrittenOut
from continuity.api.shared_state.inputs import ResolveIn, RestoreIn, author_of, found
from continuity.api.shared_state.states import STATE
from continuity.core.errors import Invalid
from continuity.services.shared_state import state_queries, states
from continuity.services.shared_state.state_writes import WrittenState
from continuity.shared_state.values import ABSENT

router = Router(tags=["states"])
LATEST: Order = {"number": int}


class ValueQuery(Schema):
    version: int | None = Field(None, ge=1, le=2**31 - 1)
    at: AwareDatetime | None = Field(None, description="The version that was the latest at this time.")


class StateDiffQuery(Schema):
    first: int = Field(ge=0, le=2**31 - 1, description="A version; 0 is before there was anything.")
    second: int = Field(ge=1, le=2**31 - 1)


@router.get(f"{STATE}/versions", auth=READ, response=answers(Page[VersionOut]), summary="List a state's versions")
def list_state_versions(request: ApiRequest, scope: str, owner: str, state_key: str, query: Query[PageQuery]) -> Status[Cut]:
    """The versions, newest first: who made each, and when."""
    return Status(200, cut(state_queries.versions(found(request, scope, owner, state_key)), query, LATEST))


@router.get(f"{STATE}/value", auth=READ, response=answers(ValueOut), summary="Read what a state was")
def get_state_value(request: ApiRequest, scope: str, owner: str, state_key: str, query: Query[ValueQuery]) -> Status[dict[str, Any]]:
    """The value of a version, or of the one that was the latest at a time."""
    if (query.version is None) == (query.at is None):
        raise Invalid("Say which version, or at what time: one of both.", field="version")
    row = found(request, scope, owner, state_key)
    version = state_queries.version(row, query.version or 0) if query.at is None else state_queries.at_time(row, query.at)
    value = state_queries.value_at(row, version.number)
    return Status(200, {"version": version, "value": None if value is ABSENT else value, "removed": value is ABSENT})


@router.get(f"{STATE}/diff", auth=READ, response=answers(StateDiffOut), summary="Compare two versions of a state")
def diff_state(request: ApiRequest, scope: str, owner: str, state_key: str, query: Query[StateDiffQuery]) -> Status[dict[str, Any]]:
    """The places that differ, at most 200, with the words that do."""
    told = state_queries.difference(found(request, scope, owner, state_key), first=query.first, second=query.second)
    return Status(200, {"first": query.first, "second": query.second, "places": told.places, "more": told.more})


@router.post(f"{STATE}/restore", auth=WRITE, response=answers(WrittenOut, 200, 412, 428), summary="Bring back a version of a state")
def restore_state(request: ApiRequest, scope: str, owner: str, state_key: str, payload: RestoreIn) -> Status[WrittenState]:
    """Makes the value of an earlier version the latest one; none in between is lost."""
    row = found(request, scope, owner, state_key)
    writer = payload.writer(request)
    return Status(200, states.restore(team=request.auth.team, state_id=row.id, number=payload.version, writer=writer))


@router.post(f"{STATE}/resolve", auth=WRITE, response=answers(WrittenOut, 200, 412, 413), summary="End a conflict")
def resolve_state(request: ApiRequest, scope: str, owner: str, state_key: str, payload: ResolveIn) -> Status[WrittenState]:
    """Takes one of the versions that wait for a person, or another value."""
    row = found(request, scope, owner, state_key)
    value = payload.value if "value" in payload.model_fields_set else ABSENT
    asked = {"state_id": row.id, "take": payload.take, "base": payload.base}
    return Status(200, states.resolve(team=request.auth.team, value=value, author=author_of(request), now=timezone.now(), **asked))  # type: ignore[arg-type]


@router.delete("/states/{uuid:state_id}", auth=ADMIN, response=answers(None, 204), summary="Erase a state")
def erase_state(request: ApiRequest, state_id: UUID) -> Status[None]:
    """Deletes it and all its versions for good."""
    states.erase(team=request.auth.team, state_id=state_id)
    return Status(204, None)
