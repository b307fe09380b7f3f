"""Telling operators of background work that does not succeed, and of events that a subscriber never took."""

from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db.models import Exists, OuterRef
from django.utils import timezone

from continuity.models import DeadLetter, Event, Subscription, SubscriptionKind
from diagnostics.alerting.rules import AlertRule
from diagnostics.models import Alert
from diagnostics.services import alert_raising


def work_failing(*, event: Event) -> None:
    """Raises the alert that work on a row fails, once until it succeeds. Safe to call twice."""
    told, subject = event.payload, _subject_of(event)
    if subject is not None:
        _raise_once(event, AlertRule.WORK_FAILS, subject, f"{told['kind']}: {told['error']}", told["attempts"])


def work_recovered(*, event: Event) -> None:
    """Ends the alert about work that succeeded."""
    subject = _subject_of(event)
    if subject is not None:
        of_subject = Alert.objects.open().filter(subject_id=subject, rule=AlertRule.WORK_FAILS, raised_at__lte=event.created_at)
        of_subject.filter(message__startswith=f"{event.payload['kind']}: ").update(over_at=timezone.now())


def delivery_abandoned(*, event: Event) -> None:
    """Raises the alert that a subscriber did not take an event, once until none waits for that subscriber. Safe to call twice."""
    told = event.payload
    _raise_once(event, AlertRule.DEAD_LETTER, _id_of(told["subscriber"]), f"{told['subscriber']}: {told['error']}", 0)


def settle() -> None:
    """Ends the alerts about subscribers whose dead letters were all taken or given up. Two queries, where an alert is open."""
    known = Alert.objects.open().filter(rule=AlertRule.DEAD_LETTER)
    if known.exists():
        waiting = {_id_of(name) for name in DeadLetter.objects.dead().values_list("subscriber", flat=True).distinct()}
        known.exclude(subject_id__in=waiting).update(over_at=timezone.now())


def settle_gaps() -> None:
    """Ends the alerts about events that are gone, of receivers of webhooks that took others since: no absence of theirs ends them. One
    query."""
    took = Subscription.objects.filter(id=OuterRef("subject_id"), kind=SubscriptionKind.WEBHOOK, acknowledged_at__gt=OuterRef("raised_at"))
    Alert.objects.open().filter(Exists(took), rule=AlertRule.REPLAY_GAP).update(over_at=timezone.now())


def _subject_of(event: Event) -> UUID | None:
    """The conversation that the work is about, or whatever else it is about."""
    told = event.payload
    return UUID(told["conversation_id"]) if "conversation_id" in told else event.subject_id


def _id_of(subscriber: str) -> UUID:
    """What alerts about a subscriber, which has no row of its own, are about."""
    return uuid5(NAMESPACE_URL, f"subscriber:{subscriber}")


def _raise_once(event: Event, rule: AlertRule, subject: UUID, message: str, retries: int) -> None:
    told: dict[str, Any] = {"team": event.team, "now": event.created_at, "id": event.id}
    alert_raising.raise_once(rule, subject=subject, message=message, retries=retries, part=message.partition(": ")[0], **told)
