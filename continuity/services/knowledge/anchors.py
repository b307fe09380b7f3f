"""Anchors that people record by hand."""

import hashlib
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import existing
from continuity.core.transactions import atomic
from continuity.knowledge.model import AnchorState, AnchorType, Truth
from continuity.models import Anchor, Conversation, Team, User
from continuity.services.events import events
from continuity.services.recording import conversations

METHOD = "by hand"
IMPORTANCE = 1.0


@atomic
def record(
    *, team: Team, conversation_id: UUID, by: User | None, type: AnchorType, text: str, rationale: str = "", rejected: str = ""
) -> Anchor:
    """Records an anchor in a person's words, pinned; the same words of the same type again are the anchor that is there.

    Its place is the conversation's last message. Raises NotFound, SessionInvalidated, SessionExpired.
    """
    conversation = existing(Conversation.objects.visible_to(team).select_for_update().filter(id=conversation_id).first(), "conversation")
    conversations.check_open(conversation)
    text = text.strip()
    now = timezone.now()
    anchor, made = Anchor.objects.get_or_create(
        conversation=conversation,
        key="h" + hashlib.sha256(f"{type}\n{text}".encode()).hexdigest()[:20],
        defaults={
            "team": team,
            "type": type.value,
            "text": text,
            "found_seq": conversation.last_seq,
            "source_seq": conversation.last_seq,
            "importance": IMPORTANCE,
            "truth": Truth.STATED.value,
            "method": METHOD,
            "critical": True,
            "rationale": rationale,
            "rejected": rejected,
            "pinned": True,
            "edited_by": by,
            "edited_at": now,
        },
    )
    if not made and anchor.state != AnchorState.CURRENT:
        anchor.state, anchor.superseded_by, anchor.settled_seq, anchor.edited_at = AnchorState.CURRENT, "", None, now
        anchor.save(update_fields=["state", "superseded_by", "settled_seq", "edited_at"])
    events.publish(name="anchor.recorded", team=team, subject_id=conversation.id, payload={"key": anchor.key, "type": anchor.type})
    return anchor
