"""Handoff policies of a team and of one conversation."""

from uuid import UUID

from ninja import Field, Router, Schema, Status
from pydantic import ConfigDict

from continuity.api.access import ADMIN, HANDOFF, READ, ApiRequest
from continuity.api.problems import answers
from continuity.core.thresholds import APPROACHING_AT, FOLD_AT, HANDOFF_AT, LONG_TASK_AT
from continuity.models import Conversation
from continuity.services.recording import conversations
from handoffs.api.authoring import author
from handoffs.contract.model import Style
from handoffs.services.packages import policies

router = Router(tags=["usage and decision"])

OF_CONVERSATION = "/conversations/{uuid:conversation_id}/policy"
MOST = 2**31 - 1


class PolicyIn(Schema):
    """Fields to set; null takes one back to what the team says, or the default. Shares are of the context window, 0..1."""

    model_config = ConfigDict(extra="forbid")

    handoff_at: float | None = Field(None, description=f"Hand off from here on ({HANDOFF_AT:.2f}).", examples=[HANDOFF_AT])
    long_task_at: float | None = Field(None, description=f"… where a task has more than `long_task_steps` steps left ({LONG_TASK_AT:.2f}).")
    long_task_steps: int | None = Field(None, ge=0, le=MOST)
    approaching_at: float | None = Field(
        None, description=f"`ContextLimitApproaching` from here on, with few turns left ({APPROACHING_AT:.2f})."
    )
    approaching_turns: int | None = Field(None, ge=0, le=MOST)
    fold_at: float | None = Field(None, description=f"Everything is made ready from here on ({FOLD_AT:.2f}).")
    boundary_at: float | None = Field(None, description=f"A finished task may advance the automatic act from here on ({FOLD_AT:.2f}).")
    cooldown_seconds: int | None = Field(None, ge=0, le=MOST, description="After a resume nothing is done automatically for so long (120).")
    min_freed: float | None = Field(None, description="A handoff that freed less of the window is not repeated (0.05).")
    automatic: bool | None = Field(None, description="Whether to hand off without being asked; from tier Teams.")
    review: bool | None = Field(None, description="Every package is a draft until a person makes it ready.")
    ask_for_notes: bool | None = Field(None, description="Whether a tool's hook asks the agent for a handoff note, once for each window.")
    budget: int | None = Field(None, ge=0, le=MOST, description="Of automatic packages, in tokens.")
    style: Style | None = None
    max_chain_length: int | None = Field(None, ge=0, le=MOST, description="Handoffs in a chain; the operator's limit (1,000) where unset.")


class PolicyOut(Schema):
    """`own` is what was set here, `effective` what holds; `licensed` says whether the team's tier has automatic handoffs."""

    own: PolicyIn
    effective: PolicyIn
    licensed: bool


@router.get("/policy", auth=READ, response=answers(PolicyOut), summary="Read the team's handoff policy")
def get_team_policy(request: ApiRequest) -> Status[PolicyOut]:
    """The policy of conversations without one of their own."""
    return Status(200, _shown(request, None))


@router.patch("/policy", auth=ADMIN, response=answers(PolicyOut), summary="Change the team's handoff policy")
def change_team_policy(request: ApiRequest, payload: PolicyIn) -> Status[PolicyOut]:
    """Sets what is sent for the whole team."""
    changes = payload.model_dump(exclude_unset=True)
    policies.change(team=request.auth.team, conversation=None, changes=changes, author=author(request))
    return Status(200, _shown(request, None))


@router.get(OF_CONVERSATION, auth=READ, response=answers(PolicyOut), summary="Read a conversation's handoff policy")
def get_policy(request: ApiRequest, conversation_id: UUID) -> Status[PolicyOut]:
    """The policy of this conversation: its own, and the effective one."""
    return Status(200, _shown(request, conversations.get(team=request.auth.team, conversation_id=conversation_id)))


@router.patch(OF_CONVERSATION, auth=HANDOFF, response=answers(PolicyOut), summary="Change a conversation's handoff policy")
def change_policy(request: ApiRequest, conversation_id: UUID, payload: PolicyIn) -> Status[PolicyOut]:
    """Sets what is sent for this conversation alone."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    changes = payload.model_dump(exclude_unset=True)
    policies.change(team=request.auth.team, conversation=conversation, changes=changes, author=author(request))
    return Status(200, _shown(request, conversation))


def _shown(request: ApiRequest, conversation: Conversation | None) -> PolicyOut:
    team = request.auth.team
    row, holds = policies.own(team=team, conversation=conversation), policies.effective(team=team, conversation=conversation)
    own = {name: getattr(row, name) for name in policies.EDITABLE}
    effective = {name: getattr(holds.policy, name) for name in policies.THRESHOLDS}
    effective |= {name: getattr(holds, name) for name in policies.PREPARING}
    effective["cooldown_seconds"] = int(holds.policy.cooldown.total_seconds())
    return PolicyOut(own=PolicyIn(**(own | {"style": row.style or None})), effective=PolicyIn(**effective), licensed=holds.policy.licensed)
