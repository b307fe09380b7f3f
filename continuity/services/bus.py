"""Delivering committed events: to the handlers of this process, then to the other processes through the relay."""

import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta

from django.db import Error as DatabaseError
from django.db import models, transaction
from django.utils import timezone

from continuity import clock
from continuity.models import Event
from continuity.services import relay

logger = logging.getLogger("continuity.events")

Handler = Callable[[Event], None]
_handlers: dict[str, list[Handler]] = defaultdict(list)

MAX_ATTEMPTS = 20
LONGEST_PAUSE = timedelta(hours=1)


def on(name: str) -> Callable[[Handler], Handler]:
    """Registers a handler of events named `name`. It may run twice for one event, so it must be safe to."""

    def register(handler: Handler) -> Handler:
        _handlers[name].append(handler)
        return handler

    return register


def deliver(event: Event) -> None:
    """Runs the handlers and relays the event; whatever fails is left for the sweep, never raised to the writer."""
    failed = False
    for handler in _handlers[event.name]:
        try:
            handler(event)
        except Exception:
            failed = True
            logger.exception("Handler %s failed for %s", handler.__qualname__, event.name, extra={"metadata": {"event_id": str(event.id)}})
    try:
        if failed:
            _postpone(event)
        relay.relay(delivered=None if failed else event.id)
    except DatabaseError:
        logger.exception("Event %s stays for the sweep", event.name, extra={"metadata": {"event_id": str(event.id)}})


def _postpone(event: Event) -> None:
    pause = min(LONGEST_PAUSE, timedelta(seconds=2 ** min(event.attempts, 12)))
    Event.objects.filter(id=event.id).update(attempts=models.F("attempts") + 1, retry_at=timezone.now() + pause)


def sweep(*, older_than: timedelta = timedelta(seconds=5), limit: int = 500) -> int:
    """Delivers committed events that no process delivered (it died, or a handler failed). Returns how many it took."""
    now = timezone.now()
    due = Event.objects.filter(clock.settled("created_at", now=now, age=older_than), dispatched_at=None, attempts__lt=MAX_ATTEMPTS)
    due = due.filter(models.Q(retry_at=None) | clock.due("retry_at", now=now, longest=LONGEST_PAUSE)).order_by("created_at")
    taken = 0
    while taken < limit:
        with transaction.atomic():
            event = due.select_for_update(skip_locked=True).first()
            if event is None:
                break
            # Claimed for a while, so that a second sweep does not run the same handlers beside this one.
            Event.objects.filter(id=event.id).update(retry_at=now + timedelta(minutes=1))
        deliver(event)
        taken += 1
    relay.relay_left_over()
    return taken
