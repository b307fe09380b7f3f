"""Acknowledgements of events that subscribers were handed: handled, failed, or still working."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.conf import settings
from prometheus_client import Gauge

from continuity.core.errors import KeyRefused, existing
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.events import delays
from continuity.models import Acknowledgement, ApiKey, DeadLetter, Delivery, Subscription, Team
from continuity.services.subscriptions import bus_sql, delivery_failures, fast_path, meters, subscriptions
from continuity.services.subscriptions.bus_sql import AcknowledgedEvent
from continuity.services.subscriptions.handled_events import HandledEvents

logger = logging.getLogger("continuity.events")

AT_ONCE = 1000

# An event that was acknowledged just now, and what it took to its handler; None where that says nothing of us.
Handled = tuple[AcknowledgedEvent, float | None]

# Of this process: what it wrote or saw.
known = HandledEvents(settings.EVENT_REGISTRY_MAX_SIZE, kept=lambda: timedelta(hours=settings.EVENT_RETENTION_HOURS))

Gauge("registry_memory_usage_mb", "Memory of the registry of handled events in this process (FR-011a)").set_function(
    lambda: known.memory_mb
)


class AckOutcome(StrEnum):
    HANDLED = "handled"
    FAILED = "failed"
    WORKING = "working"


@dataclass(frozen=True, slots=True)
class ReportedOutcome:
    """A subscriber's report on one event; `latency_ms` is what it took from `publish()` to the handler, as far as it knows."""

    event_id: UUID
    outcome: AckOutcome = AckOutcome.HANDLED
    error: str = ""
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """`again` were acknowledged before; `unknown` were never handed to this subscriber, or are gone."""

    handled: int = 0
    failed: int = 0
    working: int = 0
    again: int = 0
    unknown: int = 0


@span("continuity.event.acknowledge")
def acknowledge(
    *,
    team: Team,
    subscription_id: UUID,
    told: Sequence[ReportedOutcome],
    now: datetime,
    epoch: int | None = None,
    lease: timedelta = delays.LEASE,
    sent: bool = False,
    presumed: ApiKey | None = None,
) -> Counted:
    """Stores what is told of events. Safe to call twice. `sent`: by who sends them to the receiver of a webhook. Raises NotFound and
    Fenced, and Conflict where anybody else tells of a webhook's.

    `presumed` is a key of which it is only asked with them whether it still holds: nothing is stored, and KeyRefused raised, where it does
    not, or where none of them is acknowledged at once."""
    left, who = {each.event_id: each for each in told}, str(subscription_id)
    handled: list[Handled] = []
    if all(each.outcome == AckOutcome.HANDLED for each in told):
        handled_before = known.among(who, left)
        fresh = [id for id in left if id not in handled_before]
        how: dict[str, Any] = {"epoch": epoch, "sent": sent, "presumed": presumed}
        done = fast_path.acknowledge(team_id=team.id, subscription_id=subscription_id, ids=fresh, now=now, **how)
        handled = [(row, _latency(row, left.pop(row.id), now)) for row in done]
    elif presumed:
        raise KeyRefused
    counted = Counted(handled=len(handled))
    if left or not told:
        counted, others = _acknowledge(team, subscription_id, left, now, epoch, lease, sent)
        counted, handled = replace(counted, handled=counted.handled + len(handled)), [*handled, *others]
    known.add(who, [event.id for event, _ in handled], now)
    meters.count("event_acknowledgements", counted.handled)
    measured = [(event, milliseconds) for event, milliseconds in handled if milliseconds is not None]
    if measured:
        meters.reached_handlers(measured, now=now)
    return counted


@atomic
def _acknowledge(
    team: Team, subscription_id: UUID, told: dict[UUID, ReportedOutcome], now: datetime, epoch: int | None, lease: timedelta, sent: bool
) -> tuple[Counted, list[Handled]]:
    locked = existing(bus_sql.lock(team_id=team.id, subscription_id=subscription_id, lasting=True), "subscription")
    found, who = locked.row, str(subscription_id)
    if not sent:
        subscriptions.check_asks(found)
    subscriptions.check_epoch(found, epoch)
    before = known.among(who, told)
    asked = [id for id, each in told.items() if each.outcome == AckOutcome.HANDLED and id not in before]
    handled = bus_sql.handled(found, asked, now=now) if asked else []
    others, failed, working = _not_handled(found, {id: told[id] for id in told.keys() - before - set(asked)}, now, lease)
    missing = set(told) - before - {row.id for row in handled} - others
    done = Acknowledgement.objects.filter(subscription=found, event_id__in=missing).values_list("event_id", flat=True) if missing else []
    again = set(done)
    late = _late(found, [id for id in missing - again if told[id].outcome == AckOutcome.HANDLED], now)
    counted = Counted(len(handled) + late, failed, working, len(before) + len(again), len(missing) - len(again) - late)
    return counted, [(row, _latency(row, told[row.id], now)) for row in handled]


def _not_handled(found: Subscription, told: dict[UUID, ReportedOutcome], now: datetime, lease: timedelta) -> tuple[set[UUID], int, int]:
    """Those of these that had been handed over, how many of them failed, and on how many the subscriber still works."""
    if not told:
        return set(), 0, 0
    rows = list(Delivery.objects.filter(subscription=found, event_id__in=told).select_related("event").order_by("position"))
    failed = [row for row in rows if told[row.event_id].outcome == AckOutcome.FAILED]
    delivery_failures.failed(found, [(row, told[row.event_id].error or "The subscriber failed") for row in failed], now)
    working = [row.id for row in rows if told[row.event_id].outcome == AckOutcome.WORKING]
    if working:
        Delivery.objects.filter(id__in=working).update(due_at=now + lease)
    if rows:
        # Who works for long, or fails, is there all the same.
        Subscription.objects.filter(id=found.id).update(seen_at=now)
    return {row.event_id for row in rows}, len(failed), len(working)


def _late(found: Subscription, ids: Sequence[UUID], now: datetime) -> int:
    """Events that were given up and are handled after all: their letters go."""
    letters = list(DeadLetter.objects.filter(subscription=found, event_id__in=ids).select_related("event")) if ids else []
    done = [
        Acknowledgement(
            subscription=found, event_id=letter.event_id, position=letter.event.position or 0, attempts=letter.attempts, acknowledged_at=now
        )
        for letter in letters
    ]
    Acknowledgement.objects.bulk_create(done, ignore_conflicts=True)
    DeadLetter.objects.filter(id__in=[letter.id for letter in letters]).delete()
    return len(letters)


def _latency(row: AcknowledgedEvent, given: ReportedOutcome, now: datetime) -> float | None:
    """Of events that came for the first time and had not been missed; those that wait for a subscriber say nothing of us.
    Nor can it be more than what passed since it was published, whatever the subscriber says."""
    if row.attempts > 1 or row.replay or row.latency_ms is None:
        return None
    return row.latency_ms if given.latency_ms is None else min(given.latency_ms, meters.since(row.created_at, now))
