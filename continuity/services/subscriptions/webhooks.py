"""Sending events to the receivers of webhooks: each by itself, in order, signed; one that fails again and again is left alone."""

import json
import logging
import math
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from continuity.core import correlation
from continuity.core.errors import DomainError, NotFound
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.events import signatures
from continuity.models import Delivery, Subscription
from continuity.services.jobs import prepared
from continuity.services.subscriptions import acknowledging, event_delivery, meters, receiver_failures, receivers, subscriptions
from continuity.services.subscriptions.acknowledging import AckOutcome, ReportedOutcome
from continuity.services.subscriptions.event_delivery import HandedEvent

logger = logging.getLogger("continuity.events")

AT_ONCE = 20
# One receiver is sent to no longer than this at a time, however slowly it answers; what it has not got comes again.
TURN_SECONDS = 60.0
LEASE = timedelta(seconds=TURN_SECONDS + receivers.SECONDS + 20)

_WANTING = """
SELECT s.id FROM continuity_subscription s
WHERE s.kind = 'webhook' AND NOT s.paused AND (s.resting_until IS NULL OR s.resting_until <= %(now)s)
AND (EXISTS (SELECT FROM continuity_event e WHERE e.team_id = s.team_id AND e.position > s.position)
    OR EXISTS (SELECT FROM continuity_delivery d WHERE d.subscription_id = s.id AND d.due_at <= %(now)s))
ORDER BY s.seen_at NULLS FIRST LIMIT %(limit)s
"""
_NEXT_DUE = """
SELECT least(
    (SELECT min(d.due_at) FROM continuity_subscription s JOIN continuity_delivery d ON d.subscription_id = s.id
     WHERE s.kind = 'webhook' AND NOT s.paused AND d.due_at > %(now)s),
    (SELECT min(resting_until) FROM continuity_subscription WHERE kind = 'webhook' AND NOT paused AND resting_until > %(now)s)
)
"""


def wanting(*, now: datetime, limit: int = 200) -> Sequence[UUID]:
    """The webhooks for which something came or comes again, those first that were asked for longest ago. One query, by indexes."""
    return [row[0] for row in prepared.rows(_WANTING, {"now": now, "limit": limit})]


def next_due(*, now: datetime) -> datetime | None:
    """The time at which a webhook is to be sent again, or one that was left alone is tried again, at the earliest after `now`. One query,
    by indexes: the monitor asks it at each event, at the moment when its subscribers are told."""
    due: datetime | None = prepared.rows(_NEXT_DUE, {"now": now})[0][0]
    return due


def send_for_a_turn(*, subscription_id: UUID, waiting_since: datetime | None) -> datetime | None:
    """Sends a webhook's events until there are none, or its turn is over, as others want its place too.

    `waiting_since` is when there were none before. Returns since when there are none now; None where there may be some.
    """
    ends = time.monotonic() + TURN_SECONDS
    while time.monotonic() < ends:
        now = timezone.now()
        sent = send(subscription_id=subscription_id, ends=ends, waiting_since=waiting_since)
        if not sent:
            return now if sent is None else None
        waiting_since = None  # What is left waited for the answers to others.
    return None


@span("continuity.event.deliver")
def send(*, subscription_id: UUID, ends: float = math.inf, waiting_since: datetime | None = None) -> int | None:
    """Sends a webhook's next events, one after the other, until `ends` of the monotonic clock. Returns how many its receiver took, None
    where there were none."""
    row = Subscription.objects.select_related("team").filter(id=subscription_id, paused=False).first()
    if row is None:
        return 0
    now = timezone.now()
    try:
        taken = event_delivery.take(team=row.team, subscription_id=row.id, now=now, limit=AT_ONCE, lease=LEASE, waiting_since=waiting_since)
    except DomainError:
        return 0  # Removed meanwhile.
    if not taken.items:
        _pass_over(row, taken.position)
        return 0 if taken.more else None
    meters.handed_out([meters.since(item.event.created_at, now) for item in taken.items if item.fresh], len(taken.items))
    return _send_all(row, taken.items, ends)


def _send_all(row: Subscription, items: Sequence[HandedEvent], ends: float) -> int:
    sent = 0
    secret = subscriptions.secret_of(row)
    for number, item in enumerate(items):
        body = _body(row, item)
        at = timezone.now()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "continuity-webhooks",
            "Continuity-Event-Id": str(item.event.id),
            signatures.HEADER: signatures.sign(secret, body, int(at.timestamp())),
            correlation.HEADER: item.event.correlation_id,
            **({"traceparent": item.event.traceparent} if item.event.traceparent else {}),
        }
        answer = receivers.post(row.url, body, headers)
        try:
            # All but the first waited for the answers to those before.
            _settle(row, item, answer, None if number else meters.since(item.event.created_at, at))
        except NotFound:
            return sent  # Removed meanwhile, and all that it held.
        sent += not answer.error
        if answer.error and receiver_failures.count(row, answer.error):
            _give_back(row, items[number + 1 :])
            break
        if not answer.error and row.failures:
            receiver_failures.recover(row)
        if time.monotonic() >= ends:
            _give_back(row, items[number + 1 :])
            break
    return sent


def _settle(row: Subscription, item: HandedEvent, answer: receivers.ReceiverAnswer, latency_ms: float | None) -> None:
    outcome = AckOutcome.FAILED if answer.error else AckOutcome.HANDLED
    told = ReportedOutcome(item.event.id, outcome, answer.error, None if answer.error else latency_ms)
    acknowledging.acknowledge(team=row.team, subscription_id=row.id, told=[told], now=timezone.now(), sent=True)


def _give_back(row: Subscription, items: Sequence[HandedEvent]) -> None:
    """Gives back what was not sent in this turn, which costs no attempt."""
    waiting = Delivery.objects.filter(subscription=row, event_id__in=[item.event.id for item in items])
    waiting.filter(attempts__gt=0).update(attempts=F("attempts") - 1, due_at=timezone.now(), latency_ms=None)


@atomic
def _pass_over(row: Subscription, position: int) -> None:
    """Stores how far was looked, or the same events would be looked at again with each that comes."""
    Subscription.objects.filter(id=row.id, position__lt=position).update(position=position)


def _body(row: Subscription, item: HandedEvent) -> bytes:
    event = item.event
    told = {
        "id": str(event.id),
        "subscription": row.name,
        "topic": event.subject,
        "position": event.position,
        "payload": event.payload,
        "critical": event.critical,
        "published_at": event.created_at.isoformat(),
        "attempt": item.attempt,
        "replay": item.replay,
    }
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode()
