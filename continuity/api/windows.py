"""The context windows that a team sets for its models."""

from typing import Annotated

from ninja import Field, Router, Schema, Status
from pydantic import ConfigDict

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.conversation_forms import Window
from continuity.api.problems import answers
from continuity.services.recording import windows

router = Router(tags=["usage and decision"])

Beginning = Annotated[str, Field(min_length=1, max_length=windows.LONGEST_NAME)]


class WindowsForm(Schema):
    """Tokens by the beginning of a model's name; the longest that fits counts. `*` is for every other model."""

    model_config = ConfigDict(extra="forbid")

    windows: Annotated[dict[Beginning, Window], Field(max_length=windows.MOST, examples=[{"claude-sonnet-4-6": 200000, "*": 128000}])]


@router.get("/windows", auth=READ, response=answers(WindowsForm), summary="Read the team's context windows")
def get_windows(request: ApiRequest) -> Status[WindowsForm]:
    """The windows that the team set; empty where it set none. A model without a line here has the window that is known otherwise."""
    return Status(200, WindowsForm(windows=request.auth.team.windows))


@router.put("/windows", auth=ADMIN, response=answers(WindowsForm), summary="Set the team's context windows")
def set_windows(request: ApiRequest, payload: WindowsForm) -> Status[WindowsForm]:
    """Replaces all of them. They go before what tools tell, and behind what is set for one conversation.

    Active conversations follow at once.
    """
    return Status(200, WindowsForm(windows=windows.set_for_team(team=request.auth.team, windows=payload.windows).windows))
