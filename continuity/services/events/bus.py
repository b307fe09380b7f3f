"""Delivering committed events: to the handlers of this process, then to the other processes through the relay.

A handler that fails gets a letter of its own (`letters`), which `redelivery` gives it again; for the other handlers the event is
delivered. An event counts as dispatched when each of its handlers took it or has a letter.
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta

from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from continuity.core import clock, transactions
from continuity.core.correlation import correlated
from continuity.core.tracing import span
from continuity.models import Event
from continuity.services.events import dead_letters, relay
from continuity.services.jobs import lock_waits

logger = logging.getLogger("continuity.events")

Handler = Callable[[Event], None]
_handlers: dict[str, list[Handler]] = defaultdict(list)
# Which of them hold no row: they need no limit on waiting, which takes two statements.
_free: set[Handler] = set()
# What this thread numbered last: of events that were committed together the first took the others along.
_numbered = threading.local()

# Handlers run before the writer answers: none waits longer for a row that somebody else holds.
LOCK_WAIT = timedelta(milliseconds=250)
LONGEST_PAUSE = timedelta(hours=1)


def on(name: str, *, locks: bool = True) -> Callable[[Handler], Handler]:
    """Registers a handler of events named `name`. It may run twice for one event, so it must be safe to. `locks`: it may wait for rows
    that others hold."""

    def register(handler: Handler) -> Handler:
        _handlers[name].append(handler)
        if not locks:
            _free.add(handler)
        dead_letters.subscriber(name_of(handler), handler)
        return handler

    return register


def name_of(handler: Handler) -> str:
    """Under which name letters for the handler are kept."""
    return f"{handler.__module__}.{handler.__qualname__}"[:200]


def deliver(event: Event) -> None:
    """Runs the handlers and relays the event; whatever fails is kept for later, never raised to the writer."""
    try:
        _run(event.name, [event])
        if event.id not in getattr(_numbered, "ids", ()):
            _numbered.ids = relay.relay(delivered=None if event.dispatched_at else event.id)
        elif event.dispatched_at is None:
            relay.mark_delivered([event.id])
    except DatabaseError:
        logger.exception("Event %s stays for the sweep", event.name, extra={"metadata": {"event_id": str(event.id)}})


def has_handlers(name: str) -> bool:
    return bool(_handlers.get(name))


def deliver_numbered(events: Sequence[Event], *, last: relay.Numbered) -> None:
    """Delivers events of one name and team that were written together with their positions: other processes hear of the last, and so of
    all. `events` are those with handlers to run; where there are none they were stored as delivered."""
    try:
        relay.send([last])
        if events:
            _run(events[0].name, events)
            relay.mark_delivered([event.id for event in events])
    except DatabaseError:
        logger.exception("Event %s stays for the sweep", last.name, extra={"metadata": {"event_id": str(last.id)}})


def _run(name: str, events: Sequence[Event]) -> None:
    handlers = _handlers.get(name, [])
    with lock_waits.at_most(LOCK_WAIT) if any(each not in _free for each in handlers) else nullcontext():
        for event in events:
            for handler in handlers:
                _hand(event, handler)


@contextmanager
def caused_by(event: Event) -> Iterator[None]:
    """Work that follows from an event: it goes on in the trace, and under the correlation id, of who published it, and is ours."""
    with correlated(event.correlation_id), span("continuity.event.handle", event.traceparent), transactions.unconditional():
        yield


def _hand(event: Event, handler: Handler) -> None:
    """Gives an event to a handler; raises DatabaseError where it failed and that could not be noted."""
    try:
        with caused_by(event):
            handler(event)
    except Exception as error:
        told = {"event_id": str(event.id), "subscriber": name_of(handler)}
        logger.exception("Handler %s failed for %s", handler.__qualname__, event.name, extra={"metadata": told})
        dead_letters.note(event=event, subscriber=name_of(handler), error=error)


def sweep(*, older_than: timedelta = timedelta(seconds=5), limit: int = 500) -> int:
    """Delivers committed events that no process delivered, since it died or the database went away. Returns how many it took."""
    now = timezone.now()
    due = Event.objects.filter(clock.settled("created_at", now=now, age=older_than), dispatched_at=None)
    due = due.filter(Q(retry_at=None) | clock.due("retry_at", now=now, longest=LONGEST_PAUSE)).order_by("created_at")
    taken = 0
    while taken < limit:
        with transaction.atomic():
            event = due.select_for_update(skip_locked=True).first()
            if event is None:
                break
            # Claimed for a while, so that a second sweep does not run the same handlers beside this one.
            Event.objects.filter(id=event.id).update(retry_at=now + timedelta(minutes=1), attempts=F("attempts") + 1)
        if event.attempts < dead_letters.MAX_ATTEMPTS:
            deliver(event)
        else:
            _give_up_in_one(event)
        taken += 1
    relay.relay_pending()
    return taken


def _give_up_in_one(event: Event) -> None:
    """Leaves each handler a letter, for an event whose delivery ended the process so often."""
    for handler in _handlers[event.name]:
        dead_letters.note(event=event, subscriber=name_of(handler), error="Nobody lived to deliver it")
    relay.relay(delivered=event.id)
