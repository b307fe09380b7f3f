"""Handing events to one subscriber, in the order of their positions, each at least once.

An event that was handed over and not acknowledged comes again after its time, by itself: later events do not wait for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count, Min

from continuity.core.errors import NotFound
from continuity.core.transactions import atomic
from continuity.events import delays
from continuity.events.policies import is_wanted
from continuity.events.topics import matches
from continuity.models import Delivery, Event, Subscription, SubscriptionKind, Team
from continuity.services.events import event_replay
from continuity.services.subscriptions import failing, gaps, meters, subscriptions

AT_ONCE = 1000
# Handed over and not acknowledged: a subscriber that takes no more than it does gets no more.
IN_FLIGHT = 2000
SCAN = 2000
# A place that only passed over events is stored so seldom.
PASSED = 500
SEEN = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class HandedEvent:
    """An event as its subscriber gets it. `payload` is what its publisher said, or for events of ours the ids and numbers."""

    event: Event
    payload: Any
    attempt: int
    replay: bool
    due_at: datetime


@dataclass(frozen=True, slots=True)
class TakenEvents:
    """`position` is up to where the subscriber's events were looked at; `next_due` when one comes again, if it is not acknowledged;
    `more` that not all was looked at yet."""

    items: Sequence[HandedEvent]
    position: int
    gap: int | None
    next_due: datetime | None
    more: bool = False


def has_news(*, team: Team, subscription_id: UUID, position: int, now: datetime) -> bool:
    """Whether asking is worth a transaction. One query, by indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM continuity_event WHERE team_id = %s AND position > %s)"
            " OR EXISTS (SELECT FROM continuity_delivery WHERE subscription_id = %s AND due_at <= %s)",
            [team.id, position, subscription_id, now],
        )
        return bool(cursor.fetchone()[0])


@atomic
def take(
    *,
    team: Team,
    subscription_id: UUID,
    now: datetime,
    limit: int = 100,
    epoch: int | None = None,
    lease: timedelta = delays.LEASE,
) -> TakenEvents:
    """The next events for the subscriber: those that come again first, then new ones. Raises NotFound and Fenced."""
    with connection.cursor() as cursor:
        # What a crash of the database takes back is handed over once more.
        cursor.execute("SELECT set_config('synchronous_commit', 'off', true)")
    found = Subscription.objects.select_for_update().select_related(None).filter(team=team, id=subscription_id).first()
    if found is None:
        raise NotFound(noun="subscription")
    subscriptions.check_epoch(found, epoch)
    changed: set[str] = set()
    if found.kind == SubscriptionKind.PULL and subscriptions.is_away(found, now):
        subscriptions.returned(found)
        changed.update(subscriptions.RETURNED)
    if found.seen_at is None or abs(now - found.seen_at) > SEEN:
        found.seen_at = now
        changed.add("seen_at")
    gap = gaps.tell(found)
    if gap:
        changed.add("gap_through")
    if found.paused:
        found.save(update_fields=changed)
        return TakenEvents([], found.position, gap, None)
    again = _due(found, now, limit, lease)
    held = Delivery.objects.filter(subscription=found).aggregate(number=Count("id"), first=Min("due_at"))
    before = found.position
    new, more = _scan(found, min(limit - len(again), IN_FLIGHT - held["number"]))
    rows = [_row(found, event, now, now + lease) for event in new]
    Delivery.objects.bulk_create(rows)
    if rows or found.position - before >= PASSED:
        changed.add("position")
    replayed = sum(row.replay for row in rows)
    if replayed:
        found.replayed += replayed
        changed.add("replayed")
    if changed:
        found.save(update_fields=changed)
    if failing.is_degraded(found):
        failing.degrade(found, now)
    dues = [due for due in (held["first"], *(row.due_at for row in rows)) if due]
    return TakenEvents([*again, *_handed(rows, new)], found.position, gap, min(dues, default=None), more)


def _row(found: Subscription, event: Event, now: datetime, due_at: datetime) -> Delivery:
    position = event.position or 0
    replay = position <= found.replay_through
    took = None if replay else meters.since(event.created_at, now)
    return Delivery(subscription=found, event_id=event.id, position=position, due_at=due_at, replay=replay, latency_ms=took)


def _due(found: Subscription, now: datetime, limit: int, lease: timedelta) -> list[HandedEvent]:
    """Those whose time is over, with one attempt more; one that had all of its attempts becomes a dead letter."""
    waiting = Delivery.objects.filter(subscription=found, due_at__lte=now).select_related("event__published").order_by("position")
    rows = []
    for row in waiting[:limit]:
        if row.attempts >= delays.ATTEMPTS:
            failing.bury(found, row, row.reason or "It was handed over and never acknowledged")
            continue
        row.attempts += 1
        row.due_at = now + lease
        rows.append(row)
    Delivery.objects.bulk_update(rows, ["attempts", "due_at"])
    return _handed(rows, [row.event for row in rows])


def _scan(found: Subscription, room: int) -> tuple[Sequence[Event], bool]:
    """The next events that the subscriber wants, and whether there is more to look at; moves its position past what was looked at."""
    if room <= 0:
        return [], False
    # Read before the events: positions become visible in their order, so that all up to there are seen.
    latest = event_replay.latest()
    rows = Event.objects.filter(team_id=found.team_id, position__gt=found.position, position__lte=latest).order_by("position")
    wanted: list[UUID] = []
    light: Any = rows.values_list("id", "position", "topic", "name", "critical")[:SCAN]
    seen = 0
    for seen, (id, position, topic, name, critical) in enumerate(light, start=1):  # noqa: B007  how many there were is asked below
        event = Event(topic=topic, name=name)
        missed = position <= found.replay_through
        if matches(found.pattern, event.subject) and is_wanted(found.policy, event.subject, marked=critical, missed=missed):
            wanted.append(id)
        found.position = position
        if len(wanted) == room:
            break
    else:
        if seen < SCAN:
            found.position = max(found.position, latest)
    new = Event.objects.filter(id__in=wanted).select_related("published").order_by("position")
    return list(new) if wanted else [], found.position < latest


def _handed(rows: Sequence[Delivery], among: Sequence[Event]) -> list[HandedEvent]:
    return [HandedEvent(event, payload_of(event), row.attempts, row.replay, row.due_at) for row, event in zip(rows, among, strict=True)]


def payload_of(event: Event) -> Any:
    """What was published; null where it was erased since."""
    if not event.topic:
        return event.payload
    said = getattr(event, "published", None)
    return said.body if said is not None else None
