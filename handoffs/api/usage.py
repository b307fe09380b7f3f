"""Use of a conversation's window, and the decision whether to hand off."""

from dataclasses import asdict
from uuid import UUID

from ninja import Router, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from continuity.services.recording import conversations
from handoffs.api.forms.usage import DecidedOut, UsageOut
from handoffs.services.packages import append_followup

router = Router(tags=["usage and decision"])


@router.get("/conversations/{uuid:conversation_id}/usage", auth=READ, response=answers(UsageOut), summary="Read the token ledger")
def get_usage(request: ApiRequest, conversation_id: UUID) -> Status[UsageOut]:
    """Tokens in the window, as the decision counts them."""
    return Status(200, UsageOut.of(conversations.get(team=request.auth.team, conversation_id=conversation_id)))


@router.get("/conversations/{uuid:conversation_id}/decision", auth=READ, response=answers(DecidedOut), summary="Decide on a handoff")
def get_decision(request: ApiRequest, conversation_id: UUID) -> Status[DecidedOut]:
    """The decision on the conversation as it stands, and the automatic handoff that waits, if one is due; asking changes nothing."""
    known = append_followup.decided(team=request.auth.team, conversation_id=conversation_id)
    waiting = known.handoff
    of_handoff = {"handoff_id": waiting and waiting.id, "handoff_status": waiting and waiting.status, "ready_handoff_id": known.ready}
    return Status(200, DecidedOut.model_validate({**asdict(known.decision), **of_handoff}))
