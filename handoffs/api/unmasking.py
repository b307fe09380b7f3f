"""Showing what was masked by mistake."""

from uuid import UUID

from ninja import Router, Schema, Status
from pydantic import ConfigDict

from continuity.accounts import roles
from continuity.api.access import ADMIN, ApiRequest
from continuity.api.problems import answers
from continuity.models import Message
from continuity.services.knowledge import unmasking
from handoffs.api.forms.messages import MessageOut

router = Router(tags=["messages"])


class UnmaskIn(Schema):
    """Which span: its place in the message's `spans`, counted from 0."""

    model_config = ConfigDict(extra="forbid")

    number: int


@router.post(
    "/conversations/{uuid:conversation_id}/messages/{int:seq}/unmask",
    auth=ADMIN,
    response=answers(MessageOut, 200, 410),
    summary="Unmask a false positive",
)
def unmask_span(request: ApiRequest, conversation_id: UUID, seq: int, payload: UnmaskIn) -> Status[Message]:
    """Says that a span is no secret, so that the message shows it; who and when is recorded.

    Takes an owner of the team, or a key of theirs with the scope admin.
    """
    principal = request.auth
    if principal.role is not None:
        roles.require(principal.role, roles.Permission.UNMASK)
    shown = unmasking.unmask(team=principal.team, conversation_id=conversation_id, seq=seq, number=payload.number, by=principal.name)
    return Status(200, shown)
