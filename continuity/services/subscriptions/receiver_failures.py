"""Receivers of webhooks that fail: counted, left alone for a while, tried again."""

import logging
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from continuity.events import delays
from continuity.models import Subscription
from continuity.services.events import events

logger = logging.getLogger("continuity.events")


def count_failure(*, subscription_id: UUID, error: str) -> None:
    """Counts a failure that was none of the receiver's answers."""
    row = Subscription.objects.select_related("team").filter(id=subscription_id).first()
    if row is not None:
        count(row, error)


def count(row: Subscription, error: str) -> bool:
    """Counts a failure; whether the receiver is left alone from now on."""
    row.failures += 1
    pause = delays.breaker_pause(row.failures)
    until = timezone.now() + pause if pause else None
    Subscription.objects.filter(id=row.id).update(failures=row.failures, resting_until=until)
    if until is None:
        return False
    told = {"subscription_id": str(row.id), "failures": row.failures, "seconds": pause.total_seconds(), "error": error}
    logger.warning("A receiver of webhooks fails again and again; it is left alone for a while", extra={"metadata": told})
    if row.failures == delays.FAILURES:
        with transaction.atomic():
            events.publish(name="subscription.resting", team=row.team, subject_id=row.id, payload={"failures": row.failures})
    return True


def recover(row: Subscription) -> None:
    """Begins to count anew, as the receiver took an event."""
    rested, row.failures = row.failures >= delays.FAILURES, 0
    with transaction.atomic():
        Subscription.objects.filter(id=row.id).update(failures=0, resting_until=None)
        if rested:
            events.publish(name="subscription.recovered", team=row.team, subject_id=row.id)
