"""States: list, read, put, patch, remove, and what changed since a position."""

from django.conf import settings
from django.http import HttpResponse
from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.api.shared_state.answers import ChangesOut, SharedStateOut, WrittenOut
from continuity.api.shared_state.inputs import PatchIn, PutIn, WriteIn, found
from continuity.api.versions import IF_MATCH, etag
from continuity.models import StateEntry
from continuity.services.shared_state import state_queries, states
from continuity.services.shared_state.state_writes import WrittenState
from continuity.shared_state.names import StateScope

router = Router(tags=["states"])
STATE = "/states/{scope}/{owner}/{state_key}"
LATEST: Order = {"position": int}


class StateQuery(PageQuery):
    scope: StateScope | None = None
    owner: str = Field("", max_length=120, description="Of a scope: an agent's name, an id, `own` for the team.")
    prefix: str = Field("", max_length=120, description="Only keys that begin so.")
    unresolved: bool = Field(False, description="Only those that wait for a person.")
    removed: bool = Field(False, description="Also those that were removed.")


class ChangesQuery(Schema):
    since: int = Field(0, ge=0, le=2**62, description="`position` of the answer before; 0 for all there is.")
    generation: int | None = Field(None, ge=0, le=2**62, description="`generation` of the answer before.")
    limit: int = Field(state_queries.AT_ONCE, ge=1, le=state_queries.AT_ONCE)
    scope: StateScope | None = None
    owner: str = Field("", max_length=120)


@router.get("/states", auth=READ, response=answers(Page[SharedStateOut]), summary="List states")
def list_states(request: ApiRequest, query: Query[StateQuery]) -> Status[Cut]:
    """The team's shared states, the latest change first."""
    named = {"prefix": query.prefix, "unresolved": query.unresolved, "removed": query.removed}
    rows = state_queries.listed(team=request.auth.team, scope=query.scope or "", owner=query.owner, **named)  # type: ignore[arg-type]
    return Status(200, cut(rows, query, LATEST))


@router.get("/states/changes", auth=READ, response=answers(ChangesOut), summary="See what changed")
def list_state_changes(request: ApiRequest, query: Query[ChangesQuery]) -> Status[dict[str, object]]:
    """The states that changed after a position, removed ones among them, each once and as it is now; at most a megabyte at once."""
    asked = {"limit": query.limit, "generation": query.generation, "owner": query.owner}
    seen = state_queries.changed_since(team=request.auth.team, position=query.since, scope=query.scope or "", **asked)  # type: ignore[arg-type]
    told = {name: getattr(seen, name) for name in ("position", "generation", "more", "reset")}
    return Status(200, {**told, "items": seen.entries, "sync_interval_ms": settings.STATE_SYNC_INTERVAL_MS})


@router.get(STATE, auth=READ, response=answers(SharedStateOut), summary="Read a state")
def get_state(request: ApiRequest, scope: str, owner: str, state_key: str, response: HttpResponse) -> Status[StateEntry]:
    """The state as it is now; `ETag` holds its version."""
    row = found(request, scope, owner, state_key)
    response["ETag"] = etag(row.shown)
    return Status(200, row)


@router.put(STATE, auth=WRITE, response=answers(WrittenOut, 200, 412, 413, 428), summary="Put a state", openapi_extra=IF_MATCH)
def put_state(request: ApiRequest, scope: str, owner: str, state_key: str, payload: PutIn, response: HttpResponse) -> Status[WrittenState]:
    """Puts a value in the place of the one there; makes the state where there is none."""
    where = {"scope": scope, "owner": owner, "key": state_key}
    how = {"value": payload.value, "strategy": payload.strategy, "merges": payload.merges}
    return _written(response, states.put(team=request.auth.team, writer=payload.writer(request), **where, **how))  # type: ignore[arg-type]


@router.patch(STATE, auth=WRITE, response=answers(WrittenOut, 200, 412, 413, 428), summary="Change a state", openapi_extra=IF_MATCH)
def patch_state(
    request: ApiRequest, scope: str, owner: str, state_key: str, payload: PatchIn, response: HttpResponse
) -> Status[WrittenState]:
    """Changes parts of the value; where there is none, the patch is entered into an empty object."""
    where = {"scope": scope, "owner": owner, "key": state_key}
    return _written(response, states.patch(team=request.auth.team, patch=payload.patch, writer=payload.writer(request), **where))


@router.delete(STATE, auth=WRITE, response=answers(WrittenOut, 200, 412, 428), summary="Remove a state", openapi_extra=IF_MATCH)
def remove_state(
    request: ApiRequest, scope: str, owner: str, state_key: str, query: Query[WriteIn], response: HttpResponse
) -> Status[WrittenState]:
    """Removes the value. The versions stay, and each can be restored."""
    where = {"scope": scope, "owner": owner, "key": state_key}
    return _written(response, states.remove(team=request.auth.team, writer=query.writer(request), **where))


def _written(response: HttpResponse, written: WrittenState) -> Status[WrittenState]:
    response["ETag"] = etag(written.entry.shown)
    return Status(200, written)
