"""Attempts at handoffs and resumptions, from the events that tell of them."""

from datetime import datetime, timedelta

from django.conf import settings

from continuity.models import Event
from continuity.services.erasure import retention
from diagnostics.models import Attempt, AttemptKind

_ATTEMPTS = {
    "handoff.prepared": (AttemptKind.HANDOFF, True),
    "handoff.failed": (AttemptKind.HANDOFF, False),
    "handoff.resumed": (AttemptKind.RESUMPTION, True),
    "resumption.failed": (AttemptKind.RESUMPTION, False),
}


def attempt_of(event: Event) -> Attempt | None:
    """None for an event that tells of none, or not how long it took."""
    if event.name not in _ATTEMPTS or event.team_id is None or "duration_ms" not in event.payload:
        return None
    kind, succeeded = _ATTEMPTS[event.name]
    told = event.payload
    return Attempt(
        id=event.id,
        team_id=event.team_id,
        kind=kind,
        subject=event.subject_id,
        at=event.created_at,
        succeeded=succeeded,
        reason=told.get("reason", "")[:80],
        duration_ms=told["duration_ms"],
        anchor_preservation=told.get("anchor_score"),
        task_preservation=told.get("task_score"),
    )


def forget(*, now: datetime) -> int:
    """Deletes attempts that no snapshot looks at any more. Returns how many."""
    return retention.in_batches(Attempt.objects.filter(at__lt=now - timedelta(days=settings.CONTINUITY_METRICS_DAYS)))
