"""Deleting packages that nobody resumed in time (CONT-04); conversations are never deleted here."""

import logging
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from continuity.models import Team
from continuity.services import events
from handoffs.models import Handoff, HandoffChain, HandoffTombstone

logger = logging.getLogger("continuity.handoffs")


def delete_expired(*, now: datetime, limit: int = 500) -> int:
    """Deletes expired, unresumed handoffs, leaving a tombstone each and the chain linked. Returns how many."""
    deleted = 0
    for handoff_id in Handoff.objects.expired_unresumed(now).order_by("expires_at").values_list("id", flat=True)[:limit]:
        with transaction.atomic():
            deleted += _delete(handoff_id, now)
    return deleted


def expire(*, team: Team, handoff_ids: Collection[UUID], now: datetime) -> int:
    """Ends the time of handoffs that nobody resumed, and deletes them as if it had come. Returns how many."""
    Handoff.objects.visible_to(team).filter(id__in=handoff_ids, resumed_at=None, expires_at__gt=now).update(expires_at=now)
    deleted = 0
    for handoff_id in handoff_ids:
        with transaction.atomic():
            deleted += _delete(handoff_id, now)
    return deleted


def _delete(handoff_id: UUID, now: datetime) -> int:
    # The chain first, as preparing locks it, so that the two never wait for each other.
    chain = HandoffChain.objects.select_for_update().filter(handoffs__id=handoff_id).first()
    handoff = Handoff.objects.select_for_update().expired_unresumed(now).filter(id=handoff_id).select_related("team").first()
    if chain is None or handoff is None:
        return 0
    HandoffTombstone.objects.get_or_create(
        id=handoff.id, defaults={"team": handoff.team, "conversation": handoff.conversation_id, "reason": "expired", "deleted_at": now}
    )
    Handoff.objects.filter(previous_handoff=handoff).update(previous_handoff=handoff.previous_handoff)
    handoff.delete()
    latest = Handoff.objects.filter(chain=chain).order_by("-position", "-created_at").first()
    HandoffChain.objects.filter(id=chain.id).update(current_handoff=latest, total_handoffs=F("total_handoffs") - 1)
    events.publish(name="handoff.expired", team=handoff.team, subject_id=handoff_id, payload={"chain_id": str(chain.id)})
    logger.info("[CONT:STORE] Deleted expired handoff %s", handoff_id)
    return 1
