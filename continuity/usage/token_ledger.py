"""The one token ledger of a conversation: the number shown is the number acted on (CONT-02)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from continuity.transcripts.base.model import Message, PartKind, Role, Voice


@dataclass(frozen=True, slots=True)
class Ledger:
    """Tokens of a conversation: `total` ever recorded, `context` in the window now, `reported_id` the last usage counted."""

    total: int = 0
    system: int = 0
    context: int = 0
    last_message: int = 0
    messages: int = 0
    turns: int = 0
    reported_id: str = ""


def is_request(message: Message) -> bool:
    """Whether a person speaks in this message, which begins a turn."""
    return (
        message.role is Role.USER and not message.agent and any(part.voice is Voice.PERSON and part.text.strip() for part in message.parts)
    )


def person_text(message: Message) -> str:
    """The words of a person in this message."""
    return "\n".join(part.text for part in message.parts if part.voice is Voice.PERSON)


def is_compaction(message: Message) -> bool:
    return any(part.kind is PartKind.BOUNDARY for part in message.parts)


def account(ledger: Ledger, message: Message, tokens: int) -> Ledger:
    """The ledger after one more message of `tokens` (counted by us).

    What the provider reports for the main conversation replaces the estimate of the window, once per provider message
    id, since tools repeat it on every record of that message. A compaction empties the window; side chains have one of
    their own and count only in the total.
    """
    context = ledger.context
    reported_id = ledger.reported_id
    if not message.agent:
        if is_compaction(message):
            context = 0
        reported = message.usage.context if message.usage else 0
        if not reported:
            context += tokens
        elif message.usage_id and message.usage_id == ledger.reported_id:
            context = max(context, reported)  # the first records of an answer report only a part of its output
        else:
            context, reported_id = reported, message.usage_id
    return Ledger(
        total=ledger.total + tokens,
        system=ledger.system + (tokens if message.role is Role.SYSTEM else 0),
        context=context,
        last_message=tokens,
        messages=ledger.messages + 1,
        turns=ledger.turns + is_request(message),
        reported_id=reported_id,
    )


def fill(ledger: Ledger, message: Message, tokens: int) -> Ledger:
    """The ledger after a message came for which a placeholder was counted: one message more is there already.

    The window grows only where it is an estimate; what a provider reported since holds the message.
    """
    return replace(
        ledger,
        total=ledger.total + tokens,
        system=ledger.system + (tokens if message.role is Role.SYSTEM else 0),
        context=ledger.context + (tokens if not message.agent and not ledger.reported_id else 0),
        turns=ledger.turns + is_request(message),
    )


def account_all(ledger: Ledger, messages: Iterable[tuple[Message, int]]) -> Ledger:
    for message, tokens in messages:
        ledger = account(ledger, message, tokens)
    return ledger
