"""Packages that leave, signed."""

from datetime import datetime
from typing import Any

from django.db import transaction

from continuity.core.errors import Conflict
from continuity.secrets import message_masking
from continuity.services.accounts import gates
from continuity.services.events import events
from continuity.services.recording import conversations
from handoffs.contract import signature
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.exchange import signing

FORMAT, VERSION = "continuity.package", 1
GATE = "Agents.Continuity.Storage"


def export(*, handoff: Handoff, now: datetime) -> dict[str, Any]:
    """The package as a signed document in CONT-01's names, its secrets masked.

    Raises GateClosed, Conflict for a package that failed its check or was withdrawn, SessionInvalidated, Unavailable.
    """
    gates.require(handoff.team, "Agents.Continuity.Model")
    gates.require(handoff.team, GATE)
    conversations.check_usable(handoff.conversation)
    if handoff.status in (HandoffStatus.FAILED, HandoffStatus.WITHDRAWN):
        raise Conflict(f"A package that is {handoff.status} is not exported.", handoff_status=handoff.status)
    old = handoff.conversation
    document = {
        "format": FORMAT,
        "version": VERSION,
        "exportedAt": now.isoformat(),
        "source": {
            "title": old.title,
            "sourceTool": old.source_tool,
            "provider": old.provider,
            "model": old.model,
            "maxContextTokens": old.max_context_tokens,
        },
        "package": handoff.package,
    }
    hidden = message_masking.masked([document], message_masking.spans_of([document]))[0]
    sealed = signature.signed(hidden, signing.private())
    with transaction.atomic():
        told = {"key_id": sealed["signature"]["keyId"]}
        events.publish(name="handoff.exported", team=handoff.team, subject_id=handoff.id, payload=told)
    return sealed
