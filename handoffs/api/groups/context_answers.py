"""What everybody in a group reads, as callers get it."""

from typing import Any
from uuid import UUID

from ninja import Schema

from continuity.api.masks import MaskedJson, MaskedText, MaskedTexts
from continuity.groups.model import GroupStatus
from continuity.services.groups.shared_context import GroupContext
from handoffs.api.groups.answers import ParticipantOut


class ContextMessageOut(Schema):
    """`speaker` is empty for a person."""

    seq: int
    speaker: str
    text: MaskedText
    tokens: int


class ContextOut(Schema):
    """The shared context of the group: the latest messages whole, and what was `earlier` by a line each. `cut`: the oldest message told
    is shortened."""

    group_id: UUID
    conversation_id: UUID
    status: GroupStatus
    participants: list[ParticipantOut]
    step: MaskedJson | None
    workflow_version: int
    earlier: MaskedTexts
    messages: list[ContextMessageOut]
    left_out: int
    cut: bool
    tokens: int


def context_fields(found: GroupContext) -> dict[str, Any]:
    """The fields of a ContextOut."""
    group, shared = found.group, found.shared
    step = found.workflow.step(group.step)
    return {
        "group_id": group.id,
        "conversation_id": group.conversation_id,
        "status": group.status,
        "participants": found.participants,
        "step": step.as_json() if step else None,
        "workflow_version": group.workflow_version,
        "earlier": list(shared.earlier),
        "messages": shared.messages,
        "left_out": shared.left_out,
        "cut": shared.cut,
        "tokens": shared.tokens,
    }
