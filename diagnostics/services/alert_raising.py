"""Raising an alert about anything, once while it is open, and ending it."""

import logging
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from django.db import connection
from django.utils import timezone

from continuity.core.errors import existing
from continuity.core.transactions import atomic
from continuity.events import latency
from continuity.models import Event, Team, User
from continuity.services.subscriptions import meters
from diagnostics.alerting.rules import AlertRule
from diagnostics.alerting.saves import Raised
from diagnostics.models import Alert, AlertSeen, ScheduledRun
from diagnostics.services import alerts

logger = logging.getLogger("continuity.events")

# What alerts about the whole installation are about, which has no row of its own.
INSTALLATION = uuid5(NAMESPACE_URL, "installation")
PURGE, PURGE_LATE = "continuity.purge", timedelta(hours=24)


@atomic
def raise_once(
    rule: AlertRule,
    *,
    subject: UUID,
    team: Team | None,
    message: str,
    now: datetime,
    retries: int = 0,
    id: UUID | None = None,
    part: str = "",
) -> bool:
    """Raises an alert unless one of its rule is open about the subject (and its `part`, with which the message begins), or this very one
    (`id`) was raised before. Safe to call twice. Whether it is new."""
    with connection.cursor() as cursor:  # of two processes with the same subject one comes after the other
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"alert {rule.value} {subject}"])
    known = Alert.objects.open().filter(subject_id=subject, rule=rule, message__startswith=part[:200])
    if known.exists() or (id is not None and Alert.objects.filter(id=id).exists()):
        return False
    alerts.keep(Raised(rule, str(subject), message[:200], retries, now, now, id or uuid4()), team)
    return True


def resolve(rule: AlertRule, *, subject: UUID, now: datetime) -> int:
    """Ends the alerts of a rule about a subject; the monitor tells the channels. Returns how many were open."""
    return Alert.objects.open().filter(rule=rule, subject_id=subject).update(over_at=now)


def raise_about(event: Event, rule: AlertRule, told: str) -> None:
    """Raises an alert about the subject of an event, unless one of the rule is open about it."""
    if event.subject_id is not None:
        raise_once(rule, subject=event.subject_id, team=event.team, message=told, now=event.created_at, id=event.id)


def resolve_about(event: Event, *rules: AlertRule) -> None:
    """Ends the alerts of these rules about the subject of an event."""
    if event.subject_id is not None:
        for rule in rules:
            resolve(rule, subject=event.subject_id, now=event.created_at)


def watch_purge(*, now: datetime) -> None:
    """Raises an alert where the purge has failed for a day, and ends it with the next that succeeds. Two queries where all is well."""
    run = ScheduledRun.objects.filter(name=PURGE).first()
    if run is not None and run.failing_since is not None and now - run.failing_since > PURGE_LATE:
        raise_once(AlertRule.PURGE_FAILS, subject=INSTALLATION, team=None, message=f"{run.error}, for more than 24 hours", now=now)
    else:
        resolve(AlertRule.PURGE_FAILS, subject=INSTALLATION, now=now)


def watch_latency(*, now: datetime) -> None:
    """Raises an alert where most events take too long to their handlers, once for the whole installation until they do no more (FR-013).
    While nobody knows, as Valkey is away, it stays as it is."""
    buckets = meters.of_the_last_minutes(now=now)
    if buckets is None:
        return
    found = latency.measured(buckets)
    if not found.late:
        resolve(AlertRule.EVENTS_LATE, subject=INSTALLATION, now=now)
    elif raise_once(AlertRule.EVENTS_LATE, subject=INSTALLATION, team=None, message=f"p95 {found.words} over 5 minutes", now=now):
        told = {"p95_ms": found.words, "events": found.count}
        logger.critical("p95 latency of events >%g ms over 5 min window", latency.LIMIT_MS, extra={"metadata": told})


def test(*, team: Team, by: str, now: datetime) -> None:
    """Sends an alert through every channel that is set, and ends it at once."""
    raise_once(AlertRule.TEST, subject=team.id, team=team, message=f"by {by}"[:200], now=now)
    resolve(AlertRule.TEST, subject=team.id, now=timezone.now())


def saw(*, team: Team, alert_id: UUID, user: User) -> None:
    """Notes who saw an alert. Safe to call twice. Raises NotFound."""
    found = existing(Alert.objects.visible_to(team).filter(id=alert_id).first(), "alert")
    AlertSeen.objects.get_or_create(alert=found, user=user)
