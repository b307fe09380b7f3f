"""Marking conversations whose time is over, and those that nobody writes to: sweeps, which take each by itself."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import models

from continuity.core.transactions import atomic
from continuity.models import Conversation, ConversationStatus
from continuity.services.events import events
from continuity.services.jobs import deferrals

EXPIRE, IDLE = "expire", "idle"  # of work that is put off where it fails


def expire_lapsed(*, now: datetime, limit: int = 1000) -> int:
    """Marks conversations whose time is over (FR-004); nothing is deleted. Returns how many."""

    @atomic
    def expire(conversation_id: UUID) -> None:
        ended = {"status": ConversationStatus.EXPIRED, "version": models.F("version") + 1, "updated_at": now}
        if Conversation.objects.lapsed(now).filter(id=conversation_id).update(**ended):
            _publish("conversation.expired", conversation_id)

    lapsed = deferrals.without_waiting(Conversation.objects.lapsed(now), EXPIRE, now).order_by("expires_at")
    return deferrals.each(kind=EXPIRE, ids=list(lapsed.values_list("id", flat=True)[:limit]), work=expire, claim=False)


def mark_idle(*, now: datetime, limit: int = 1000) -> int:
    """Marks active conversations that nobody wrote to for `SESSION_IDLE_MINUTES`; the next message makes them active. Returns how many.

    It is no activity and no change of theirs, so neither their place in lists nor their version moves.
    """
    since = now - timedelta(minutes=settings.SESSION_IDLE_MINUTES)

    @atomic
    def mark(conversation_id: UUID) -> None:
        if Conversation.objects.quiet(since).filter(id=conversation_id).update(status=ConversationStatus.IDLE):
            _publish("conversation.idled", conversation_id)

    quiet = deferrals.without_waiting(Conversation.objects.quiet(since), IDLE, now).order_by("active_at")
    return deferrals.each(kind=IDLE, ids=list(quiet.values_list("id", flat=True)[:limit]), work=mark, claim=False)


def _publish(name: str, conversation_id: UUID) -> None:
    conversation = Conversation.objects.select_related("team").only("team").get(id=conversation_id)
    events.publish(name=name, team=conversation.team, subject_id=conversation.id)
