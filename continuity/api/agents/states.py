"""The state of an agent: what it must still know after it died."""

from typing import Any

from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import AGENT, ApiRequest
from continuity.api.agents.inputs import InstanceIn
from continuity.api.agents.running import OF_AGENT
from continuity.api.problems import answers
from continuity.services.agent_state import LoadedState, SavedState
from continuity.services.agents import states

router = Router(tags=["agents"])


class StateIn(InstanceIn):
    state: dict[str, Any] = Field(description="`config` and `context`, objects, and `messages`, a list of objects; each may be missing.")


class SavedOut(Schema):
    """`digest` is a hash of what is stored, `bytes` its size as JSON; `trimmed` where something was left out for the limit."""

    digest: str
    bytes: int
    messages: int
    trimmed: bool
    dropped_turns: int
    dropped_fields: list[str]
    masked: int
    saved_at: AwareDatetime


class StateOut(Schema):
    """`state` is null where none was saved; `epoch` is that of the instance that reads."""

    state: dict[str, Any] | None
    digest: str
    epoch: int
    saved_at: AwareDatetime | None


@router.put(f"{OF_AGENT}/state", auth=AGENT, response=answers(SavedOut, 200, 409, 413), summary="Save an agent's state")
def save_agent_state(request: ApiRequest, agent_name: str, payload: StateIn) -> Status[dict[str, Any]]:
    """Stores the state in the place of the one before. Its latest turns are kept, secrets masked (docs/agents.md)."""
    saved: SavedState = states.save(team=request.auth.team, name=agent_name, now=timezone.now(), **payload.dict())
    about = {name: getattr(saved, name) for name in ("digest", "messages", "trimmed", "dropped_turns", "masked", "saved_at")}
    return Status(200, {**about, "bytes": saved.size, "dropped_fields": list(saved.dropped_fields)})


@router.get(f"{OF_AGENT}/state", auth=AGENT, response=answers(StateOut, 200, 409), summary="Get an agent's state")
def get_agent_state(request: ApiRequest, agent_name: str, query: Query[InstanceIn]) -> Status[dict[str, Any]]:
    """The state that this instance begins with; from then on no earlier one can save."""
    found: LoadedState | None = states.load(
        team=request.auth.team, name=agent_name, epoch=query.epoch, instance=query.instance, now=timezone.now()
    )
    if found is None:
        return Status(200, {"state": None, "digest": "", "epoch": query.epoch, "saved_at": None})
    return Status(200, {"state": dict(found.state), "digest": found.digest, "epoch": found.epoch, "saved_at": found.saved_at})
