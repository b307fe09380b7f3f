"""Messages: recording them, which answers with the decision, and reading them again."""

from typing import Any
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import PrivateAttr

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent_then
from continuity.api.pages import Cut, Page, cut
from continuity.api.problems import answers
from continuity.models import Conversation, Message, Scope
from continuity.services.recording import conversations, heads
from handoffs.api.batch_reader import read
from handoffs.api.forms.messages import BatchIn, MessageOut, MessageQuery
from handoffs.api.forms.usage import DecisionOut, UsageOut
from handoffs.models import HandoffStatus
from handoffs.services.packages import append_followup

router = Router(tags=["messages"])

OLDEST = {"seq": int}


class AppendedOut(Schema):
    """The messages' numbers in the order in which they were sent, and how many of them are new."""

    conversation_id: UUID
    seqs: list[int]
    added: int
    replaced: int = Field(description="Messages that took the place of their placeholder.")
    warnings: list[str]
    usage: UsageOut
    decision: DecisionOut
    handoff_id: UUID | None = Field(description="The automatic handoff that waits to be resumed, when one is due.")
    handoff_status: HandoffStatus | None = Field(description="`ready`, or `draft` where a person is to look at it first.")
    ready_handoff_id: UUID | None = Field(None, description="The newest handoff that is ready and offered to nobody, however it was made.")
    _conversation: Conversation = PrivateAttr()

    @classmethod
    def of(cls, done: conversations.Appended, warnings: list[str]) -> "AppendedOut":
        """What is told if nothing that follows is ready."""
        told = {
            "conversation_id": done.conversation.id,
            "seqs": done.seqs,
            "added": done.added,
            "replaced": done.replaced,
            "warnings": warnings,
            "usage": UsageOut.of(done.conversation),
            "decision": append_followup.undecided(done.conversation),
            "handoff_id": None,
            "handoff_status": None,
        }
        answer = cls.model_validate(told)
        answer._conversation = done.conversation
        return answer


def followed(request: ApiRequest, answer: AppendedOut) -> AppendedOut:
    """The answer with what follows from the messages, as far as that is ready soon."""
    next_ = append_followup.follow(team=request.auth.team, conversation=answer._conversation)
    decision = DecisionOut.model_validate(next_.decision, from_attributes=True)
    told: dict[str, Any] = {"decision": decision, "ready_handoff_id": next_.ready}
    if next_.handoff is not None:
        told |= {"handoff_id": next_.handoff.id, "handoff_status": HandoffStatus(next_.handoff.status)}
    return answer.model_copy(update=told)


@router.post(
    "/conversations/{uuid:conversation_id}/messages",
    auth=WRITE,
    response=answers(AppendedOut, 201, 410, 413),
    summary="Append messages",
)
@idempotent_then(followed)
def append_messages(request: ApiRequest, conversation_id: UUID, payload: BatchIn) -> Status[AppendedOut]:
    """Records messages: all of them or none. One whose `external_id` is stored already is not added again.

    At most 1,000 messages or 32 MiB at once, 8 MiB each. The answer says whether it is time to hand off, and names the package
    where one was made. Nothing that follows can fail or undo what was recorded, or hold up the answer: what is not ready about a
    tenth of a second later is told as `decision.held: "preparing"`, and a later answer names the package.
    """
    batch = read(payload, size=len(request.body))
    done = conversations.append(
        team=request.auth.team,
        conversation_id=conversation_id,
        messages=batch.messages,
        abandoned=payload.abandoned,
        device=payload.device,
        placeholders=batch.placeholders,
        window=payload.window,
    )
    if payload.head:
        heads.note(conversation=done.conversation, commit=payload.head)
    return Status(201, AppendedOut.of(done, batch.warnings))


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
