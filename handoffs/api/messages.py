"""Messages: recording them, which answers with the decision, and reading them again."""

from uuid import UUID

from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.pages import Cut, Page, cut
from continuity.api.problems import answers
from continuity.models import Message, Scope
from continuity.services import conversations
from handoffs.api.message_forms import BatchIn, MessageOut, MessageQuery
from handoffs.api.reading import read
from handoffs.api.usage_forms import DecisionOut, UsageOut
from handoffs.models import HandoffStatus
from handoffs.services import automatic

router = Router(tags=["messages"])

OLDEST = {"seq": int}


class AppendedOut(Schema):
    """The messages' numbers in the order in which they were sent, and how many of them are new."""

    conversation_id: UUID
    seqs: list[int]
    added: int
    warnings: list[str]
    usage: UsageOut
    decision: DecisionOut
    handoff_id: UUID | None = Field(description="The automatic handoff that waits to be resumed, when one is due.")
    handoff_status: HandoffStatus | None = Field(description="`ready`, or `draft` where a person is to look at it first.")


@router.post(
    "/conversations/{uuid:conversation_id}/messages",
    auth=WRITE,
    response=answers(AppendedOut, 201, 410, 413),
    summary="Append messages",
)
@idempotent
def append_messages(request: ApiRequest, conversation_id: UUID, payload: BatchIn) -> Status[AppendedOut]:
    """Records messages: all of them or none. One whose `external_id` is stored already is not added again.

    At most 1,000 messages or 32 MiB at once, 8 MiB each. The answer says whether it is time to hand off, and
    names the package where one was made.
    """
    batch = read(payload, size=len(request.body))
    done = conversations.append(
        team=request.auth.team,
        conversation_id=conversation_id,
        messages=batch.messages,
        abandoned=payload.abandoned,
        device=payload.device,
    )
    return Status(201, _appended(done, batch.warnings, automatic.follow_up(team=request.auth.team, conversation=done.conversation)))


def _appended(done: conversations.Appended, warnings: list[str], next_: automatic.FollowUp) -> AppendedOut:
    told = {
        "conversation_id": done.conversation.id,
        "seqs": done.seqs,
        "added": done.added,
        "warnings": warnings,
        "usage": UsageOut.of(done.conversation),
        "decision": next_.decision,
        "handoff_id": next_.handoff and next_.handoff.id,
        "handoff_status": next_.handoff and next_.handoff.status,
    }
    return AppendedOut.model_validate(told)


@router.get("/conversations/{uuid:conversation_id}/messages", auth=READ, response=answers(Page[MessageOut]), summary="List messages")
def list_messages(request: ApiRequest, conversation_id: UUID, query: Query[MessageQuery]) -> Status[Cut]:
    """The messages in their order. Secrets are masked unless the caller has the scope admin and asks for them."""
    if query.unmasked:
        request.auth.require(Scope.ADMIN)
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    request.unmasked = query.unmasked
    rows = Message.objects.filter(conversation=conversation, seq__gte=query.from_seq)
    rows = rows if query.abandoned else rows.filter(abandoned=False)
    return Status(200, cut(rows, query, OLDEST, ascending=True))
