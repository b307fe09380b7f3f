"""The next action of a person on a conversation: one thing, and why. Pure but for the words of statuses."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from continuity.core.thresholds import LONG_TASK_AT
from continuity.models import Conversation
from continuity.models.conversations import IN_USE, ConversationStatus
from handoffs.models import Handoff, HandoffStatus


class ActionKind(StrEnum):
    PREPARE = "prepare"
    RESUME = "resume"
    REVIEW = "review"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class NextAction:
    """`handoff` is what it is about, where there is one; `urgent` is whether it should not wait, `waits_for` who else has to act."""

    kind: ActionKind
    why: str
    handoff: Handoff | None = None
    urgent: bool = False
    waits_for: str = ""


def next_action(conversation: Conversation, latest: Handoff | None, *, now: datetime, may: bool, reader: UUID | None = None) -> NextAction:
    """By the state of the conversation and of its latest handoff, for the `reader` who may make and resume handoffs or not."""
    if latest is not None and latest.resumed_at is None and latest.expires_at > now:
        waits = _of_offer(latest, reader) or _of_handoff(latest, reader)
        if waits is not None:
            return waits if may else NextAction(ActionKind.NONE, waits.why, latest)
    if conversation.status == ConversationStatus.HANDED_OFF:
        number = f" from handoff {latest.number}" if latest is not None else ""
        return NextAction(ActionKind.NONE, f"Another conversation continues it{number}.", latest)
    if conversation.status not in IN_USE:
        return NextAction(ActionKind.NONE, "It is over.")
    if conversation.last_seq == 0:
        return NextAction(ActionKind.NONE, "Nothing was said yet.")
    if not may:
        return NextAction(ActionKind.NONE, "Viewers read; members prepare handoffs.")
    used = conversation.utilization
    if used is None:
        return NextAction(ActionKind.PREPARE, "How full its context window is, is not known.")
    return NextAction(ActionKind.PREPARE, f"Its context window is {int(used * 100)}% full.", urgent=used >= LONG_TASK_AT)


def _of_offer(latest: Handoff, reader: UUID | None) -> NextAction | None:
    if latest.offered_to_id is None or latest.status not in (HandoffStatus.READY, HandoffStatus.DRAFT):
        return None
    if latest.offered_to_id == reader:
        return NextAction(ActionKind.REVIEW, f"Handoff {latest.number} is offered to you: accept or decline it.", latest, urgent=True)
    to = str(latest.offered_to)
    return NextAction(ActionKind.NONE, f"Handoff {latest.number} is offered to {to}, who has not answered yet.", latest, waits_for=to)


def _next_person(latest: Handoff, reader: UUID | None) -> str:
    """The person who accepted it; otherwise anybody may continue."""
    if latest.offered_by_id is None or latest.owner is None:
        return "whoever continues"
    return "you" if latest.owner_id == reader else str(latest.owner)


def _of_handoff(latest: Handoff, reader: UUID | None) -> NextAction | None:
    if latest.status == HandoffStatus.READY:
        return NextAction(ActionKind.RESUME, f"Handoff {latest.number} waits for {_next_person(latest, reader)}.", latest, urgent=True)
    if latest.status == HandoffStatus.DRAFT:
        return NextAction(ActionKind.REVIEW, f"Handoff {latest.number} is a draft: read it, then make it ready.", latest, urgent=True)
    if latest.status == HandoffStatus.FAILED:
        return NextAction(ActionKind.REVIEW, f"Handoff {latest.number} failed its check.", latest, urgent=True)
    return None
