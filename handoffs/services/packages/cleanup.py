"""Deleting packages that nobody resumed in time (CONT-04), and warning of it a day before; conversations are never deleted here."""

import logging
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from continuity.core.transactions import atomic
from continuity.models import NoticeKind, Team
from continuity.services.erasure import notices
from continuity.services.events import events
from continuity.services.jobs import deferrals
from handoffs.models import Handoff, HandoffChain, HandoffStatus, HandoffTombstone
from handoffs.services.chains import chains
from handoffs.services.chains.chains import HEAVY

logger = logging.getLogger("continuity.handoffs")

KIND = "delete_handoff"  # of work that is put off where it fails

WAITING = (HandoffStatus.DRAFT, HandoffStatus.READY)


def warn_of_expiring(*, now: datetime, limit: int = 500) -> int:
    """Warns the owners of packages that nobody resumed and that will be deleted within a day. Returns of how many."""
    waiting = Handoff.objects.filter(resumed_at=None, status__in=WAITING)
    ending = deferrals.without_waiting(notices.unwarned(waiting, now), notices.KIND, now).order_by("expires_at")
    return deferrals.each(kind=notices.KIND, ids=list(ending.values_list("id", flat=True)[:limit]), work=_warn_of, of=Handoff, claim=False)


def _warn_of(handoff_id: UUID) -> None:
    each = Handoff.objects.select_related("conversation__team", "owner").defer(*HEAVY).get(id=handoff_id)
    notices.warn(
        kind=NoticeKind.HANDOFF_EXPIRING, conversation=each.conversation, subject_id=each.id, owner=each.owner, due_at=each.expires_at
    )


def delete_expired(*, now: datetime, limit: int = 500) -> int:
    """Deletes expired, unresumed handoffs, leaving a tombstone each and the chain linked. Returns how many."""

    def delete(handoff_id: UUID) -> bool:
        return _delete(handoff_id, now) > 0

    expired = deferrals.without_waiting(Handoff.objects.expired_unresumed(now), KIND, now).order_by("expires_at")
    return deferrals.each(kind=KIND, ids=list(expired.values_list("id", flat=True)[:limit]), work=delete, of=Handoff, claim=False)


def expire(*, team: Team, handoff_ids: Collection[UUID], now: datetime) -> int:
    """Ends the time of handoffs that nobody resumed, and deletes them as if it had come. Returns how many."""
    Handoff.objects.visible_to(team).filter(id__in=handoff_ids, resumed_at=None, expires_at__gt=now).update(expires_at=now)
    deleted = 0
    for handoff_id in handoff_ids:
        deleted += _delete(handoff_id, now)
    return deleted


@atomic
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
    HandoffChain.objects.filter(id=chain.id).update(current_handoff=latest, total_handoffs=chains.length_of(chain))
    events.publish(name="handoff.expired", team=handoff.team, subject_id=handoff_id, payload={"chain_id": str(chain.id)})
    logger.info("[CONT:STORE] Deleted expired handoff %s", handoff_id)
    return 1
