"""Storing alerts, also those that were raised while the store was away, and closing them."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.utils import timezone

from continuity.core.transactions import atomic
from continuity.models import Conversation, Event, Message, SkippedMessage, Team
from continuity.services.events import events
from diagnostics.alerting import channels, resumptions
from diagnostics.alerting.rules import RULES, AlertRule
from diagnostics.alerting.saves import ABOUT_SAVES, Raised
from diagnostics.alerting.waiting_alerts import WaitingAlerts
from diagnostics.models import Alert, Attempt, AttemptKind
from diagnostics.services import alert_delivery

logger = logging.getLogger("continuity.alerts")

LATEST = Subquery(Message.objects.filter(conversation=OuterRef("subject_id")).order_by("-seq").values("created_at")[:1])
SKIPPED = SkippedMessage.objects.filter(conversation=OuterRef("subject_id"))
# Read again from an earlier message on: what was passed over may be so again.
_BEHIND = Q(folded_seq__lt=F("last_seq")) | Q(refold_from__isnull=False) | Q(probe_bank__through_seq__lt=F("folded_seq"))
BEING_READ = Conversation.objects.filter(_BEHIND, id=OuterRef("subject_id"))
EXISTS = Exists(Conversation.objects.filter(id=OuterRef("subject_id")))


def waiting() -> WaitingAlerts:
    return WaitingAlerts(settings.CONTINUITY_DATA_DIR / "waiting_alerts.jsonl")


def store_waiting(*, over: Iterable[UUID] = ()) -> None:
    """Stores the alerts that wait on disk, and closes those about the sessions in `over`. Raises OSError."""
    with waiting().taken() as found:
        if found.alerts or found.told or over:
            store(raised=found.alerts, over=over)
        for id, channel in found.told:
            alert_delivery.mark_delivered(channel=channel, id=id)


def settle(*, now: datetime) -> None:
    """What the processes that raised alerts did not come to: stores those that wait, and closes those whose sessions were saved since,
    and those about messages that were all read again."""
    store_waiting()
    known = Alert.objects.open().filter(rule__in=ABOUT_SAVES).annotate(latest=LATEST, exists=EXISTS)
    known.filter(Q(latest__gt=F("raised_at")) | Q(exists=False)).update(over_at=now)
    about_messages = Alert.objects.open().filter(rule=AlertRule.MESSAGE_SKIPPED)
    about_messages.exclude(Exists(SKIPPED) | Exists(BEING_READ)).update(over_at=now)


def store(*, raised: Sequence[Raised], over: Iterable[UUID] = ()) -> None:
    """Keeps what was raised, tells of it as `alert.raised`, and closes the alerts about the sessions in `over`. Safe to call twice.

    One that can't be kept is logged, as all are when they are raised, and holds up no other.
    """
    for each in raised:
        try:
            _store(each)
        except (ValueError, DataError, IntegrityError):
            logger.exception("An alert could not be kept", extra={"metadata": {"rule": each.rule.value}})
    Alert.objects.open().filter(subject_id__in=list(over), rule__in=ABOUT_SAVES).update(over_at=timezone.now())


@atomic
def _store(each: Raised) -> None:
    session = UUID(each.session)
    subject = Conversation.objects.filter(id=session).select_related("team").only("team").first()
    alert, new = Alert.objects.get_or_create(id=each.id, defaults=_columns(each, subject.team if subject else None))
    if new and subject is not None:
        publish(alert, subject.team)


@atomic
def audit_differed(*, event: Event) -> bool:
    """Raises the alert that an audit found differences, once until an audit agrees. Safe to call twice. Whether it is new."""
    return _raise_once(event, AlertRule.AUDIT_DIFFERS, f"{event.payload['differences']} differences in audit {event.payload['audit_id']}")


@transaction.atomic
def message_skipped(*, event: Event) -> bool:
    """Raises the alert that messages of a conversation were passed over, once until none is (`settle`). Safe to call twice. Whether it
    is new."""
    first = event.payload["skipped"][0]
    told = f"message {first['seq']}: {first['error']} at {first['place']}, read for {first['reader']}"
    return _raise_once(event, AlertRule.MESSAGE_SKIPPED, told)


def _raise_once(event: Event, rule: AlertRule, told: str) -> bool:
    """Raises the alert that follows from an event about a conversation, unless one of its rule is open or it was raised before."""
    if event.subject_id is None:
        return False
    subject = Conversation.objects.select_related("team").select_for_update(of=("self",), no_key=True).filter(id=event.subject_id).first()
    known = Alert.objects.filter(subject_id=event.subject_id, rule=rule).filter(Q(over_at=None) | Q(id=event.id))
    if subject is None or known.exists():
        return False
    keep(Raised(rule, str(subject.id), told, 0, event.created_at, event.created_at, event.id), subject.team)
    return True


def audit_agreed(*, event: Event) -> None:
    """Ends the alert about a conversation whose later audit found nothing."""
    if event.subject_id is not None:
        about = Alert.objects.open().filter(subject_id=event.subject_id, rule=AlertRule.AUDIT_DIFFERS)
        about.filter(raised_at__lte=event.created_at).update(over_at=timezone.now())


def watch_resumptions(*, now: datetime) -> None:
    """Raises an alert for each team whose resumptions of the last 24 hours fail too often, once until they do no more. Two queries, and
    what is raised."""
    since = now - resumptions.WINDOW
    rows = Attempt.objects.filter(kind=AttemptKind.RESUMPTION, at__gt=since, at__lte=now).order_by().values("team")
    counted = rows.annotate(attempted=Count("id"), succeeded=Count("id", filter=Q(succeeded=True)))
    failing = {row["team"]: row for row in counted if resumptions.fail_too_often(row["attempted"], row["succeeded"])}
    about = Alert.objects.open().filter(rule=AlertRule.RESUMPTIONS_FAIL)
    about.exclude(team__in=failing).update(over_at=now)
    for team in Team.objects.filter(id__in=failing).exclude(id__in=about.values("team")):
        _resumptions_fail(team, resumptions.sentence(failing[team.id]["attempted"], failing[team.id]["succeeded"]), since, now)


@atomic
def _resumptions_fail(team: Team, told: str, since: datetime, now: datetime) -> None:
    Team.objects.select_for_update().get(id=team.id)
    if Alert.objects.open().filter(rule=AlertRule.RESUMPTIONS_FAIL, team=team).exists():
        return  # Another worker was faster.
    keep(Raised(AlertRule.RESUMPTIONS_FAIL, str(team.id), told, 0, since, now), team)


def keep(raised: Raised, team: Team | None) -> None:
    """Keeps a new alert and tells its team of it; the log when the caller's transaction commits, and the monitor tells the channels."""
    alert = Alert.objects.create(id=raised.id, **_columns(raised, team))
    if team is not None:
        publish(alert, team)
    transaction.on_commit(lambda: channels.log(raised), robust=True)


def _columns(raised: Raised, team: Team | None) -> dict[str, Any]:
    return {
        "team": team,
        "subject_id": UUID(raised.session),
        "subject_kind": RULES[raised.rule].subject,
        "rule": raised.rule.value,
        "severity": raised.severity.value,
        "message": raised.message[:200],
        "retries": raised.retries,
        "since": raised.since,
        "raised_at": raised.at,
        "untold": channels.those_set(),
    }


def publish(alert: Alert, team: Team) -> None:
    """Tells of an alert as `alert.raised`. The caller's transaction."""
    about = None if alert.conversation_id is None else str(alert.conversation_id)
    payload = {"rule": alert.rule, "severity": alert.severity, "conversation_id": about, "retries": alert.retries}
    events.publish(name="alert.raised", team=team, subject_id=alert.id, payload=payload, critical=True)
