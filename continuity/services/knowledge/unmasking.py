"""Showing what was masked by mistake: a person who may says that a span is no secret."""

from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Invalid, existing
from continuity.core.transactions import atomic
from continuity.models import Message, Team
from continuity.services.events import events
from continuity.services.recording import conversations


@atomic
def unmask(*, team: Team, conversation_id: UUID, seq: int, number: int, by: str) -> Message:
    """Shows one span of a message to everyone who may read it; `number` counts the message's spans from 0. Twice is once.

    Who did it and when is kept with the span. All other spans stay masked, and what packages and knowledge hold stays
    masked too. Raises NotFound, ConversationGone, Invalid where there is no such span.
    """
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    message = existing(Message.objects.select_for_update().filter(conversation=conversation, seq=seq).first(), "message")
    if not 0 <= number < len(message.secrets):
        raise Invalid(f"Message {seq} has {len(message.secrets)} masked spans.", field="number")
    span = message.secrets[number]
    if "unmasked" not in span:
        span["unmasked"] = {"by": by, "at": timezone.now().isoformat()}
        message.save(update_fields=["secrets"])
        payload = {"seq": seq, "number": number, "kind": span["kind"], "by": by}
        events.publish(name="secret.unmasked", team=team, subject_id=conversation.id, payload=payload, critical=True)
    return message
