"""Storing alerts that were raised while the store was away, and closing them."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from continuity.models import Conversation, Team
from continuity.services import events
from diagnostics.alerting.saves import Raised
from diagnostics.models import Alert


@transaction.atomic
def store(*, raised: Sequence[Raised], over: Iterable[UUID] = ()) -> None:
    """Keeps what was raised, tells of it as `alert.raised`, and closes the alerts about the sessions in `over`."""
    teams = {row.id: row.team for row in Conversation.objects.filter(id__in={UUID(each.session) for each in raised}).select_related("team")}
    for each in raised:
        team: Team | None = teams.get(UUID(each.session))
        alert = Alert.objects.create(
            team=team,
            subject_id=UUID(each.session),
            rule=each.rule.value,
            severity=each.severity.value,
            message=each.message[:200],
            retries=each.retries,
            since=each.since,
            raised_at=each.at,
        )
        if team is not None:
            payload = {"rule": alert.rule, "severity": alert.severity, "conversation_id": each.session, "retries": alert.retries}
            events.publish(name="alert.raised", team=team, subject_id=alert.id, payload=payload, critical=True)
    Alert.objects.open().filter(subject_id__in=list(over)).update(over_at=timezone.now())
