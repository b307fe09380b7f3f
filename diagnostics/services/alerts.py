"""Storing alerts, also those that were raised while the store was away, and closing them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from continuity.models import Conversation, Event, Message, Team
from continuity.services import events
from diagnostics.alerting import channels
from diagnostics.alerting.saves import ABOUT_SAVES, SEVERITY, Raised, Rule
from diagnostics.alerting.waiting import Waiting
from diagnostics.models import Alert

LATEST = Subquery(Message.objects.filter(conversation=OuterRef("subject_id")).order_by("-seq").values("created_at")[:1])
EXISTS = Exists(Conversation.objects.filter(id=OuterRef("subject_id")))


def waiting() -> Waiting:
    return Waiting(settings.CONTINUITY_DATA_DIR / "waiting_alerts.jsonl")


def store_waiting(*, over: Iterable[UUID] = ()) -> None:
    """Stores the alerts that wait on disk, and closes those about the sessions in `over`. Raises OSError."""
    with waiting().taken() as raised:
        if raised or over:
            store(raised=raised, over=over)


def settle(*, now: datetime) -> None:
    """What the processes that raised alerts did not come to: stores those that wait, and closes those whose sessions were saved since."""
    store_waiting()
    known = Alert.objects.open().filter(rule__in=ABOUT_SAVES).annotate(latest=LATEST, exists=EXISTS)
    known.filter(Q(latest__gt=F("raised_at")) | Q(exists=False)).update(over_at=now)


@transaction.atomic
def store(*, raised: Sequence[Raised], over: Iterable[UUID] = ()) -> None:
    """Keeps what was raised, tells of it as `alert.raised`, and closes the alerts about the sessions in `over`. Safe to call twice."""
    teams = {row.id: row.team for row in Conversation.objects.filter(id__in={UUID(each.session) for each in raised}).select_related("team")}
    for each in raised:
        team: Team | None = teams.get(UUID(each.session))
        alert, new = Alert.objects.get_or_create(
            id=each.id,
            defaults={
                "team": team,
                "subject_id": UUID(each.session),
                "rule": each.rule.value,
                "severity": each.severity.value,
                "message": each.message[:200],
                "retries": each.retries,
                "since": each.since,
                "raised_at": each.at,
            },
        )
        if new and team is not None:
            _publish(alert, team)
    Alert.objects.open().filter(subject_id__in=list(over), rule__in=ABOUT_SAVES).update(over_at=timezone.now())


@transaction.atomic
def audit_differed(*, event: Event) -> bool:
    """Raises the alert that an audit found differences, once until an audit agrees. Safe to call twice. Whether it is new."""
    if event.subject_id is None:
        return False
    subject = Conversation.objects.select_related("team").select_for_update(of=("self",), no_key=True).filter(id=event.subject_id).first()
    if subject is None or _about_audits(subject.id).filter(Q(over_at=None) | Q(id=event.id)).exists():
        return False
    told = f"{event.payload['differences']} differences in audit {event.payload['audit_id']}"
    raised = Raised(Rule.AUDIT_DIFFERS, str(subject.id), told, 0, event.created_at, event.created_at)
    alert = Alert.objects.create(
        id=event.id,
        team=subject.team,
        subject_id=subject.id,
        rule=raised.rule.value,
        severity=SEVERITY[raised.rule].value,
        message=told[:200],
        retries=0,
        since=raised.since,
        raised_at=raised.at,
    )
    _publish(alert, subject.team)
    transaction.on_commit(lambda: channels.tell(raised), robust=True)
    return True


def audit_agreed(*, event: Event) -> None:
    """Ends the alert about a conversation whose later audit found nothing."""
    if event.subject_id is not None:
        _about_audits(event.subject_id).filter(over_at=None, raised_at__lte=event.created_at).update(over_at=timezone.now())


def _about_audits(subject_id: UUID) -> QuerySet[Alert]:
    return Alert.objects.filter(subject_id=subject_id, rule=Rule.AUDIT_DIFFERS)


def _publish(alert: Alert, team: Team) -> None:
    payload = {"rule": alert.rule, "severity": alert.severity, "conversation_id": str(alert.subject_id), "retries": alert.retries}
    events.publish(name="alert.raised", team=team, subject_id=alert.id, payload=payload, critical=True)
