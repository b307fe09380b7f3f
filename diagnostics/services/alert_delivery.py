"""Telling the channels of stored alerts, and that they are over: what was not told when a process died is told by the next.

Only the monitor does it, and only one process at a time for each channel, so that what a channel hears comes in order.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import CharField, F, Func, QuerySet, Value
from django.utils import timezone

from continuity.core.isolation import name_of
from diagnostics.alerting import channels
from diagnostics.alerting.channels import AlertChannel, ChannelAnswer
from diagnostics.alerting.refusals import Refusals
from diagnostics.alerting.rules import AlertRule
from diagnostics.alerting.saves import ABOUT_SAVES, Raised
from diagnostics.models import Alert

logger = logging.getLogger("continuity.alerts")

LIMIT = 200
# Of those that were refused before, so many at a time: a new alert waits no longer than they take.
AGAIN = 3
# Alerts about the store are sent by the process that raised them, which notes on disk whom it told.
OTHERS_TELL = timedelta(seconds=60)
GIVEN_UP = timedelta(days=1)


def waiting(*, now: datetime) -> Sequence[str]:
    """The channels for which there is something. Two queries, by indexes."""
    untold = Func(F("untold"), function="unnest", output_field=CharField())
    names = set(_pending(now).order_by().annotate(name=untold).values_list("name", flat=True).distinct())
    if _ends().exists():
        names.update(name for name, channel in channels.CHANNELS.items() if channel.over is not None)
    return sorted(names)


def deliver(name: str, refused: Refusals) -> bool:
    """Tells a channel what it has not heard, alerts first, until it does not answer. Whether it answered all the time.

    What it refused before (`refused`) comes after what it was never told, a few at a time and when it is due: a refusal says nothing of
    any other alert."""
    with _alone(name) as alone:
        return not alone or (_deliver_alerts(name, refused) and _deliver_ends(name, refused))


def mark_delivered(*, channel: str, id: UUID) -> int:
    """Notes that a channel knows of an alert. Returns whether it was to be told of it."""
    return _drop(Alert.objects.filter(id=id), channel)


def _pending(now: datetime) -> QuerySet[Alert]:
    rows = Alert.objects.exclude(untold=[]).order_by("raised_at", "id")
    return rows.exclude(rule__in=ABOUT_SAVES, created_at__gt=now - OTHERS_TELL)


def _ends() -> QuerySet[Alert]:
    return Alert.objects.filter(over_told=False, over_at__isnull=False).order_by("over_at", "id")


def _deliver_alerts(name: str, refused: Refusals) -> bool:
    now, channel = timezone.now(), channels.CHANNELS.get(name)
    rows = _pending(now).filter(untold__contains=[name])
    if channel is None or not channel.is_set():
        _drop(rows, name)  # Its address was taken away.
        return True
    for alert in _in_turn(rows, refused, now):
        answer = _begun(channel, alert)
        if answer is ChannelAnswer.TOOK:
            mark_delivered(channel=name, id=alert.id)
            refused.forget(alert.id)
        elif timezone.now() - alert.raised_at > GIVEN_UP:
            _log("A channel was told of an alert in vain for a day, and is told no more", name, alert)
            mark_delivered(channel=name, id=alert.id)
            refused.forget(alert.id)
        elif answer is ChannelAnswer.AWAY:
            return False
        elif refused.note(alert.id, timezone.now()):
            _log("A channel refuses an alert: it is not delivered there, and tried again for a day", name, alert)
    return True


def _in_turn(rows: QuerySet[Alert], refused: Refusals, now: datetime) -> Iterator[Alert]:
    """Those that were never refused, and then a few of those that may be told again."""
    yield from rows.exclude(id__in=refused.known)[:LIMIT]
    yield from rows.filter(id__in=refused.due(now))[:AGAIN]


def _log(words: str, name: str, alert: Alert) -> None:
    logger.error(words, extra={"metadata": {"id": str(alert.id), "rule": alert.rule, "channel": name}})


def _begun(channel: AlertChannel, alert: Alert) -> ChannelAnswer:
    try:
        return channel.begun(_raised(alert))
    except Exception as error:
        told = {"id": str(alert.id), "error": name_of(error)}
        logger.exception("An alert could not be told; the others go on", extra={"metadata": told})
        return ChannelAnswer.REFUSED


def _deliver_ends(name: str, refused: Refusals) -> bool:
    channel, now = channels.CHANNELS.get(name), timezone.now()
    if channel is None or channel.over is None:
        return True
    for alert in _in_turn(_ends().exclude(untold__contains=[name]), refused, now):
        # One incident stands for all of a rule and a subject: while another alert is open it goes on.
        goes_on = Alert.objects.open().filter(rule=alert.rule, subject_id=alert.subject_id).exists()
        answer = channel.over(alert.rule, str(alert.subject_id)) if channel.is_set() and not goes_on else ChannelAnswer.TOOK
        if answer is ChannelAnswer.TOOK or (alert.over_at is not None and timezone.now() - alert.over_at > GIVEN_UP):
            Alert.objects.filter(id=alert.id).update(over_told=True)
            refused.forget(alert.id)
        elif answer is ChannelAnswer.AWAY:
            return False
        elif refused.note(alert.id, timezone.now()):
            _log("A channel refuses that an alert is over: it is tried again for a day", name, alert)
    return True


def _drop(rows: QuerySet[Alert], name: str) -> int:
    left = Func(F("untold"), Value(name), function="array_remove")
    return rows.filter(untold__contains=[name]).update(untold=left)


def _raised(alert: Alert) -> Raised:
    rule, subject = AlertRule(alert.rule), str(alert.subject_id)
    return Raised(rule, subject, alert.message, alert.retries, alert.since, alert.raised_at, alert.id)


@contextmanager
def _alone(name: str) -> Iterator[bool]:
    """Whether no other process tells this channel now; none does until the block ends."""
    about = [f"alerts to {name}"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", about)
        alone = bool(cursor.fetchone()[0])
        try:
            yield alone
        finally:
            if alone and connection.is_usable():
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", about)
