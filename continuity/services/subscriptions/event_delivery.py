"""Handing events to one subscriber, in the order of their positions, each at least once.

An event that was handed over and not acknowledged comes again after its time, by itself: later events do not wait for it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from continuity.core.errors import existing
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.events import delays, schemas
from continuity.models import Delivery, Event, Subscription, SubscriptionKind, Team
from continuity.services.subscriptions import bus_sql, declarations, delivery_failures, event_scan, fast_path, gaps, meters, subscriptions
from continuity.services.subscriptions.bus_sql import FullEvent

# Handed over and not acknowledged: a subscriber that takes no more than it does gets no more.
IN_FLIGHT = 2000
# Who holds more than this is behind by itself: what it took says nothing of us.
BEHIND = 1000
# A place that only passed over events is stored so seldom.
PASSED = 100
# So many new events are looked at in one call.
NEAR = 250
SEEN = timedelta(seconds=15)
_BOUNDS = fast_path.Bounds(most=0, in_flight=IN_FLIGHT, behind=BEHIND, near=NEAR, passed=PASSED, quiet=SEEN, away=delays.AWAY)


@dataclass(frozen=True, slots=True)
class HandedEvent:
    """An event, and the how-manieth attempt it is to hand it to this subscriber. `fresh`: it was published while the subscriber waited
    for it, so that what it took since then says how fast we are."""

    event: FullEvent
    attempt: int
    replay: bool
    due_at: datetime
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class TakenEvents:
    """`position` is up to where the subscriber's events were looked at; `next_due` when one comes again, if it is not acknowledged;
    `more` that not all was looked at yet; `soon` that there may be some in a moment, of which nobody will tell: it holds all that it
    may, until it acknowledges some, or its row is held by somebody (then nothing was looked at, and there is `more`, too)."""

    items: Sequence[HandedEvent]
    position: int
    gap: int | None
    next_due: datetime | None
    more: bool = False
    soon: bool = False


def has_news(*, team: Team, subscription_id: UUID, position: int, now: datetime) -> bool:
    """Whether asking is worth a transaction. One query, by indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM continuity_event WHERE team_id = %s AND position > %s)"
            " OR EXISTS (SELECT FROM continuity_delivery WHERE subscription_id = %s AND due_at <= %s)",
            [team.id, position, subscription_id, now],
        )
        return bool(cursor.fetchone()[0])


def touch_presence(*, team: Team, subscription_id: UUID, now: datetime, epoch: int | None = None) -> None:
    """Notes that a subscriber waits although there is no news: it is heard of, or what happens after a quiet time would count as missed.

    One statement, which waits for nobody. What an instance says that was fenced off, or one that was away meanwhile, counts for nothing.
    """
    stale, away = now - SEEN, now - delays.AWAY
    bus_sql.touch_presence(team_id=team.id, subscription_id=subscription_id, epoch=epoch, now=now, stale=stale, away=away)


@span("continuity.event.hand_out")
def take(
    *,
    team: Team,
    subscription_id: UUID,
    now: datetime,
    limit: int = 100,
    epoch: int | None = None,
    lease: timedelta = delays.LEASE,
    waiting_since: datetime | None = None,
    patience: timedelta | None = None,
) -> TakenEvents:
    """The next events for the subscriber: those that come again first, then new ones. Raises NotFound and Fenced, and OperationalError
    where somebody else holds its row for longer than `patience`.

    `waiting_since` is when it began to wait for more: what was published before waited for the subscriber. None: it did not wait.

    One statement where all is as usual.
    """
    usual_take = fast_path.take(
        team_id=team.id, subscription_id=subscription_id, epoch=epoch, now=now, due_at=now + lease,
        waiting_since=waiting_since, patience=patience, bounds=_BOUNDS._replace(most=limit),
    )  # fmt: skip
    if usual_take is None:
        asked: dict[str, Any] = {"limit": limit, "epoch": epoch, "lease": lease, "waiting_since": waiting_since, "patience": patience}
        return _take(team=team, subscription_id=subscription_id, now=now, **asked)
    events, latest, first_due = usual_take
    handed = [HandedEvent(event, 1, False, now + lease, fresh) for event, fresh in events]
    position = events[-1][0].position if len(events) >= limit else latest
    dues = [due for due in (first_due, *(each.due_at for each in handed[:1])) if due]
    return TakenEvents(handed, position, None, min(dues, default=None), more=position < latest)


@atomic
def _take(
    *,
    team: Team,
    subscription_id: UUID,
    now: datetime,
    limit: int,
    epoch: int | None,
    lease: timedelta,
    waiting_since: datetime | None,
    patience: timedelta | None,
) -> TakenEvents:
    """As `take`, in all cases. Three statements where nothing comes again."""
    # What a crash takes back is handed over once more.
    locked = existing(bus_sql.lock(team_id=team.id, subscription_id=subscription_id, lasting=False, patience=patience), "subscription")
    found = locked.row
    fast_path.remember(found)
    subscriptions.check_epoch(found, epoch)
    waiting_since = None if locked.held > BEHIND else waiting_since
    changed: set[str] = set()
    if found.kind == SubscriptionKind.PULL and subscriptions.is_away(found, now):
        subscriptions.returned(found)
        changed.update(subscriptions.RETURNED)
    if found.seen_at is None or abs(now - found.seen_at) > SEEN:
        found.seen_at = now
        changed.add("seen_at")
    if found.gap_through:
        changed.add("gap_through")
    gap = gaps.publish_gap(found)
    if found.paused:
        _save(found, changed)
        return TakenEvents([], found.position, gap, None)
    comes_again = locked.first_due is not None and locked.first_due <= now
    again = _due(found, now, limit, lease) if comes_again else []
    before = found.position
    new, more = event_scan.next_matching(found, latest=locked.latest, room=min(limit - len(again), IN_FLIGHT - locked.held))
    if new:
        changed -= _hand(found, new, now, now + lease, waiting_since)
    elif found.position - before >= PASSED:
        changed.add("position")
    _save(found, changed)
    if delivery_failures.is_degraded(found):
        delivery_failures.degrade(found, now)
    unfit = _refuse_unfit(team, found, new, now)
    handed = [
        HandedEvent(event, 1, _is_replay(found, event), now + lease, _is_fresh(found, event, waiting_since))
        for event in new
        if event.id not in unfit
    ]
    dues = [due for due in (locked.first_due, *(each.due_at for each in handed[:1])) if due]
    full = locked.held >= IN_FLIGHT and locked.latest > found.position
    return TakenEvents([*again, *handed], found.position, gap, min(dues, default=None), more, soon=full)


def _save(found: Subscription, changed: set[str]) -> None:
    if changed:
        found.save(update_fields=changed)


def _is_replay(found: Subscription, event: FullEvent) -> bool:
    return event.position <= found.replay_through


def _is_fresh(found: Subscription, event: FullEvent, waiting_since: datetime | None) -> bool:
    return waiting_since is not None and event.created_at >= waiting_since and not _is_replay(found, event)


def _hand(found: Subscription, new: Sequence[FullEvent], now: datetime, due_at: datetime, waiting_since: datetime | None) -> set[str]:
    """Notes what is handed over; the names of what it stored of the subscription."""
    took = [meters.since(event.created_at, now) if _is_fresh(found, event, waiting_since) else None for event in new]
    found.replayed += sum(_is_replay(found, event) for event in new)
    bus_sql.hand(found, new, took=took, due_at=due_at)
    return {"position", "replayed", "seen_at"}


def _refuse_unfit(team: Team, found: Subscription, new: Sequence[FullEvent], now: datetime) -> Collection[UUID]:
    """Refuses replayed events whose topic has another schema by now, which they do not fit: they are failures of the replay. One
    query for a replay, and one where something does not fit."""
    replayed = [event for event in new if event.published and _is_replay(found, event)]
    declared = declarations.of(team, {event.subject for event in replayed}, anew=True) if replayed else {}
    reasons: dict[UUID, str] = {}
    for event in replayed:
        topic = declared.get(event.subject)
        if topic is not None and topic.schema is not None and event.payload is not None:
            try:
                schemas.check(event.payload, topic.schema)
            except schemas.Unfit as error:
                reasons[event.id] = f"Not what the topic's schema says: {error}"
    if reasons:
        rows = Delivery.objects.filter(subscription=found, event_id__in=reasons).select_related("event__published")
        delivery_failures.unfit(found, [(row, reasons[row.event_id]) for row in rows.order_by("position")], now)
    return reasons


def _due(found: Subscription, now: datetime, limit: int, lease: timedelta) -> list[HandedEvent]:
    """The events whose time is over, with one attempt more; one that had all of its attempts becomes a dead letter."""
    waiting = Delivery.objects.filter(subscription=found, due_at__lte=now).select_related("event__published").order_by("position")
    rows, over = [], []
    for row in waiting[:limit]:
        if row.attempts >= delays.ATTEMPTS:
            over.append(row)
            continue
        row.attempts += 1
        row.due_at, row.reason = now + lease, ""
        rows.append(row)
    for row in over[: delivery_failures.BURIED_AT_ONCE]:
        delivery_failures.bury(found, row, row.reason or "It was handed over and never acknowledged")
    bus_sql.put_off(rows)
    return [HandedEvent(bus_sql.full_event(row.event, payload_of(row.event)), row.attempts, row.replay, row.due_at) for row in rows]


def payload_of(event: Event) -> Any:
    """The published payload; null where it was erased since."""
    if not event.topic:
        return event.payload
    said = getattr(event, "published", None)
    return said.body if said is not None else None
