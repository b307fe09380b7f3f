"""A conversation as it was left."""

import json
import time
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.utils import timezone
from ninja import Field, Router, Schema
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.conversation_forms import ConversationOut
from continuity.api.masks import hide
from continuity.api.problems import answers
from continuity.knowledge import OtherRules
from continuity.secrets import message_masking
from continuity.services.recording import restoring
from continuity.services.subscriptions import meters
from handoffs.contract.records import situation_record

router = Router(tags=["conversations"])


class RestoredMessage(Schema):
    seq: int
    external_id: str
    role: str
    parts: list[dict[str, Any]]
    tokens: int
    at: AwareDatetime | None
    model: str
    usage: dict[str, int] | None
    usage_id: str
    agent: str
    cwd: str
    branch: str
    abandoned: bool


class RestoredOut(Schema):
    """A conversation whole, its secrets masked. `digest` (SHA-256, hex) is of the stored messages: it stays the same as long as nothing
    is added or lost, whatever was restarted. `knowledge_digest` is of what was distilled of those up to number `folded_through`, which
    happens in the background. `situation` is where the work stood, null until it is folded anew."""

    conversation: ConversationOut
    digest: str
    knowledge_digest: str
    folded_through: int
    messages: list[RestoredMessage]
    situation: dict[str, Any] | None = Field(description="As in a package.")


PATH = "/conversations/{uuid:conversation_id}/restore"


@router.get(PATH, auth=READ, response=answers(RestoredOut, 200, 410, 413), summary="Restore a conversation")
def restore_conversation(request: ApiRequest, conversation_id: UUID) -> HttpResponse:
    """All messages and where the work stood, in one answer. Beyond 5,000 messages or 5,000,000 tokens (413) a conversation is read page
    by page."""
    begun = time.perf_counter()
    restored = restoring.restore(team=request.auth.team, conversation_id=conversation_id)
    told = {
        "conversation": ConversationOut.from_orm(restored.conversation).model_dump(),
        "digest": restored.digest,
        "knowledge_digest": restored.knowledge_digest,
        "folded_through": restored.folded_through,
        "messages": [_shown(row) for row in restored.messages],
        "situation": _situation(restored),
    }
    # Hundreds of messages are written as they are, without a check of each field on its way out.
    text = json.dumps(told, cls=DjangoJSONEncoder)
    meters.took(meters.RESTORE, (time.perf_counter() - begun) * 1000, now=timezone.now())
    return HttpResponse(text, content_type="application/json; charset=utf-8")


def _shown(row: Any) -> dict[str, Any]:
    named = {name: row[name] for name in RestoredMessage.model_fields}
    shown = {name: hide(value) for name, value in named.items() if isinstance(value, str)}
    return {**named, **shown, "parts": message_masking.masked(row["parts"], row["secrets"])}


def _situation(restored: restoring.Restored) -> Any:
    try:
        return hide(situation_record(restored.situation))
    except OtherRules:
        return None
