"""How full a conversation's window is, and whether it should hand off."""

from uuid import UUID

from ninja import Router, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from continuity.services import conversations
from handoffs.api.usage_forms import DecisionOut, UsageOut
from handoffs.policy.decision import Decision
from handoffs.services import decisions

router = Router(tags=["usage and decision"])


@router.get("/conversations/{uuid:conversation_id}/usage", auth=READ, response=answers(UsageOut), summary="Read the token ledger")
def get_usage(request: ApiRequest, conversation_id: UUID) -> Status[UsageOut]:
    """Tokens in the window, as the decision counts them."""
    return Status(200, UsageOut.of(conversations.get(team=request.auth.team, conversation_id=conversation_id)))


@router.get("/conversations/{uuid:conversation_id}/decision", auth=READ, response=answers(DecisionOut), summary="Decide on a handoff")
def get_decision(request: ApiRequest, conversation_id: UUID) -> Status[Decision]:
    """The decision on the conversation as it stands; asking changes nothing."""
    return Status(200, decisions.decide_for(team=request.auth.team, conversation_id=conversation_id))
