"""The handling of events that a subscriber could not take: a pause, in the end a dead letter, which may be tried again."""

import logging
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from continuity.core.transactions import atomic
from continuity.events import delays, policies
from continuity.models import DeadLetter, Delivery, Event, LetterStatus, Subscription
from continuity.services.events import dead_letters, events, redelivery
from continuity.services.subscriptions import bus_sql, meters

logger = logging.getLogger("continuity.events")

PREFIX = "subscription:"
# A dead letter takes several statements, and whoever makes some holds the subscription's row meanwhile.
BURIED_AT_ONCE = 20


def failed(found: Subscription, rows: Sequence[tuple[Delivery, str]], now: datetime) -> None:
    """Puts events off that their subscriber could not take, each with its reason. The caller holds the subscription's lock. So many
    become dead letters at once; the others that had all of their attempts do when it is next asked for events, or by the monitor."""
    replays = [(row, reason) for row, reason in rows if row.replay and row.attempts == 1 and not row.reason]
    buried = 0
    kept = []
    for row, reason in rows:
        row.reason = reason[:200]
        over = row.attempts >= delays.ATTEMPTS
        if over and buried < BURIED_AT_ONCE:
            buried += 1
            bury(found, row, reason)
            continue
        row.due_at = now if over else now + delays.after(row.attempts)
        kept.append(row)
    bus_sql.put_off(kept)
    if replays:
        _replays_failed(found, replays, now)


def unfit(found: Subscription, rows: Sequence[tuple[Delivery, str]], now: datetime) -> None:
    """Replayed events that are not what their topic's schema says by now, each with the reason: no attempt makes them fit. The caller holds
    the subscription's lock. Those beyond `BURIED_AT_ONCE` become dead letters when it next asks for events, or by the monitor."""
    _replays_failed(found, rows, now)
    for row, reason in rows[:BURIED_AT_ONCE]:
        bury(found, row, reason)
    later = []
    for row, reason in rows[BURIED_AT_ONCE:]:
        row.attempts, row.reason, row.due_at = delays.ATTEMPTS, reason[:200], now
        later.append(row)
    bus_sql.put_off(later)


def bury(found: Subscription, row: Delivery, reason: str) -> None:
    """Makes a delivery a dead letter, and tells of it."""
    event = row.event
    letter, _ = DeadLetter.objects.update_or_create(
        event_id=event.id,
        subscriber=f"{PREFIX}{found.id}",
        defaults={
            "team_id": found.team_id,
            "subscription": found,
            "status": LetterStatus.DEAD,
            "attempts": row.attempts,
            "reason": reason[:200],
            "failed_at": timezone.now(),
            "retry_at": None,
        },
    )
    row.delete()
    logger.error(
        "%s never took %s #%s: it waits as a dead letter",
        found.name,
        event.subject,
        event.position,
        extra={"metadata": {"letter_id": str(letter.id), "event_id": str(event.id), "reason": letter.reason}},
    )
    if event.name not in (redelivery.ABANDONED, redelivery.DISCARDED):
        redelivery.publish_outcome(redelivery.ABANDONED, letter)


def _replays_failed(found: Subscription, rows: Sequence[tuple[Delivery, str]], now: datetime) -> None:
    for row, reason in rows:
        event = row.event
        told = {"topic": event.subject, "event_id": str(event.id), "timestamp": event.created_at.isoformat(), "error": reason}
        logger.error("The replay of an event failed", extra={"metadata": {"subscription_id": str(found.id), **told}})
    meters.count("event_replay_failure_total", len(rows))
    found.replay_failed += len(rows)
    found.save(update_fields=["replay_failed"])
    if is_degraded(found):
        degrade(found, now)


def is_degraded(found: Subscription) -> bool:
    """Whether half of what was replayed failed, once all of it was handed over; told once."""
    handed = found.degraded_at is None and found.position >= found.replay_through
    return handed and policies.is_degraded(found.replayed, found.replay_failed)


def degrade(found: Subscription, now: datetime) -> None:
    """Tells that a subscriber can't be trusted to know what it missed; it goes on to get events."""
    found.degraded_at = now
    found.save(update_fields=["degraded_at"])
    told = {"replayed": found.replayed, "failed": found.replay_failed, "agent": found.agent}
    logger.critical("Half of the replayed events failed", extra={"metadata": {"subscription_id": str(found.id), **told}})
    events.publish(name="subscription.degraded", team=found.team, subject_id=found.id, payload=told, critical=True, about=found.name)


@atomic
def give_again(event: Event, subscription_id: UUID) -> None:
    """Hands an event of a dead letter over once more, with all its attempts. Safe to call twice."""
    found = Subscription.objects.select_for_update().filter(id=subscription_id).first()
    if found is None:
        return
    now = timezone.now()
    defaults = {"position": event.position or 0, "attempts": 0, "due_at": now}
    Delivery.objects.get_or_create(subscription=found, event_id=event.id, defaults=defaults)


dead_letters.family(PREFIX, lambda name: lambda event: give_again(event, UUID(name.removeprefix(PREFIX))))
