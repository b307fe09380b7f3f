"""The monitor's part of the bus: webhooks are sent as soon as there is something, and again when it is time; what hangs is given up."""

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from uuid import UUID

from django.db import Error as DatabaseError
from django.db import connection

from continuity.core.isolation import name_of
from continuity.core.transactions import atomic
from continuity.events import delays
from continuity.models import Delivery, Subscription
from continuity.services.subscriptions import delivery_failures, receiver_failures, webhooks

logger = logging.getLogger("continuity.events")

# Receivers that are sent to at the same time: one that answers slowly gives its place to those that wait after a minute.
PLACES = 8
KNOWN = 10_000
BUSY = timedelta(milliseconds=200)


class WebhookSender:
    """Sends to several receivers at once, to each by one thread at a time."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(PLACES, thread_name_prefix="webhooks")
        self._busy: dict[UUID, Future[None]] = {}
        # Since when there is nothing more for a receiver, and when it was last looked whether there is: what a receiver gets that was
        # published since then waited for us alone.
        self._waiting: dict[UUID, datetime] = {}
        self._looked: datetime | None = None

    def __call__(self, now: datetime) -> datetime | None:
        self._busy = {id: future for id, future in self._busy.items() if not future.done()}
        wanting = webhooks.wanting(now=now)
        for id in wanting:
            if id in self._busy:
                continue
            since = self._waiting.pop(id, None)
            if len(self._busy) < PLACES:
                alone = max(since, self._looked) if since and self._looked else None
                self._busy[id] = self._threads.submit(self._send, id, alone)
        self._looked = now
        soon = now + BUSY if wanting else None
        return min((due for due in (webhooks.next_due(now=now), soon) if due), default=None)

    def _send(self, subscription_id: UUID, waiting_since: datetime | None) -> None:
        try:
            waits = webhooks.send_for_a_turn(subscription_id=subscription_id, waiting_since=waiting_since)
            if waits is not None and len(self._waiting) < KNOWN:
                self._waiting[subscription_id] = waits
        except DatabaseError:
            logger.exception("A webhook could not be sent on; it will be tried again")
        except Exception as error:
            told = {"subscription_id": str(subscription_id), "error": name_of(error)}
            logger.exception("A webhook could not be sent; the others go on", extra={"metadata": told})
            _count_failure(subscription_id, error)
        finally:
            connection.close()


def _count_failure(subscription_id: UUID, error: Exception) -> None:
    """What we can't send is left alone as a receiver that fails is, or it would be tried five times a second."""
    try:
        receiver_failures.count_failure(subscription_id=subscription_id, error=name_of(error))
    except DatabaseError:
        logger.exception("The failure of a webhook could not be counted")


def bury_hanging(now: datetime) -> datetime | None:
    """Makes dead letters of deliveries that were handed over in vain as often as they may be, also where nobody asks for them again."""
    over = Delivery.objects.filter(due_at__lte=now, attempts__gte=delays.ATTEMPTS).order_by("due_at")
    for subscription_id in list(dict.fromkeys(over.values_list("subscription_id", flat=True)[:500])):
        _give_up(subscription_id, now)
    return now + timedelta(seconds=5)


@atomic
def _give_up(subscription_id: UUID, now: datetime) -> None:
    found = Subscription.objects.select_for_update(skip_locked=True).filter(id=subscription_id).first()
    if found is None:
        return
    rows = Delivery.objects.filter(subscription=found, due_at__lte=now, attempts__gte=delays.ATTEMPTS).select_related("event")
    for row in rows.order_by("position")[:500]:
        delivery_failures.bury(found, row, row.reason or "It was handed over and never acknowledged")
