"""From a transcript's message to a row, under the lock that `conversations.append` holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db.models import Min

from continuity.models import Conversation, Message
from continuity.secrets import message_masking
from continuity.transcripts.base import model as transcript
from continuity.usage import tokens
from continuity.usage.token_ledger import Ledger


@dataclass(slots=True)
class NewMessage:
    """The values of a new `Message` row. Not the model itself: of a batch, making its instances took a third of the time."""

    id: UUID
    external_id: str
    role: str
    parts: list[dict[str, Any]]
    tokens: int
    at: datetime | None
    model: str
    usage: dict[str, int] | None
    usage_id: str
    agent: str
    cwd: str
    branch: str
    device: str
    line: int
    secrets: list[dict[str, Any]]
    seq: int = 0
    placeholder: bool = False


def row_of(message: transcript.Message, conversation_id: UUID, model: str, device: str, *, placeholder: bool = False) -> NewMessage:
    """A row that is not stored yet, without a number, its tokens counted (a placeholder has none) and its secrets found.

    Its id follows from the conversation and the external id (UUID v5), so that the same message is the same row.
    """
    external_id = message.external_id[:200] or f"m:{uuid4()}"
    parts = [part.as_json() for part in message.parts]
    usage = message.usage
    return NewMessage(
        id=uuid5(conversation_id, external_id),
        external_id=external_id,
        role=message.role.value,
        parts=parts,
        tokens=0 if placeholder else tokens.message_tokens(message, tokens.counter_for(message.model or model)),
        at=message.at,
        model=message.model[:120],
        usage={"input": usage.input, "output": usage.output, "cache_read": usage.cache_read, "cache_write": usage.cache_write}
        if usage
        else None,
        usage_id=message.usage_id[:200],
        agent=message.agent[:200],
        cwd=message.cwd,
        branch=message.branch,
        device=device[:120],
        line=message.line,
        secrets=message_masking.spans_of(parts),
        placeholder=placeholder,
    )


def number(rows: Sequence[NewMessage], known: dict[str, int], conversation: Conversation) -> list[NewMessage]:
    """Gives new rows the next numbers and adds them to `known`; the caller holds the conversation's lock."""
    fresh = []
    for row in rows:
        if row.external_id in known:
            continue
        conversation.last_seq += 1
        row.seq = known[row.external_id] = conversation.last_seq
        fresh.append(row)
    return fresh


def mark_abandoned(conversation: Conversation, external_ids: Sequence[str]) -> None:
    """Marks rewound messages; where some were distilled, the fold goes back to before the first of them. Lock held.

    A step of folding that has read them and is not done yet counts for nothing: it finds another number of rewinds.
    """
    newly = Message.objects.filter(conversation=conversation, external_id__in=external_ids, abandoned=False)
    first = newly.aggregate(first=Min("seq"))["first"]
    if first is None:
        return
    newly.update(abandoned=True)
    read_again(conversation, first)


def read_again(conversation: Conversation, first: int) -> None:
    """Takes the fold back to before message `first`, whose meaning changed. Lock held; the caller stores the counters."""
    conversation.rewinds += 1
    if first <= conversation.folded_seq:
        conversation.refold_from = min(first, conversation.refold_from or first)
        conversation.folded_seq = first - 1


def ledger_of(conversation: Conversation) -> Ledger:
    return Ledger(
        total=conversation.total_tokens,
        system=conversation.system_tokens,
        context=conversation.context_tokens,
        last_message=conversation.last_message_tokens,
        messages=conversation.message_count,
        turns=conversation.turn_count,
        reported_id=conversation.reported_usage_id,
    )


def apply_ledger(conversation: Conversation, ledger: Ledger) -> None:
    conversation.total_tokens = ledger.total
    conversation.system_tokens = ledger.system
    conversation.context_tokens = ledger.context
    conversation.last_message_tokens = ledger.last_message
    conversation.message_count = ledger.messages
    conversation.turn_count = ledger.turns
    conversation.reported_usage_id = ledger.reported_id
