"""Keeping what people and keys did."""

from continuity.accounts.audited_events import AUDITED
from continuity.core.actor import current as current_actor
from continuity.models import AuditEntry, Event
from continuity.services.recording.row_sql import insert


def record(event: Event, *, about: str = "") -> None:
    """Writes the entry of an event that the audit log keeps, with who acts and from where. The caller's transaction."""
    if event.name not in AUDITED:
        return
    actor = current_actor()
    entry = AuditEntry(
        team_id=event.team_id,
        action=event.name,
        actor=actor.name[:255],
        user_id=actor.user_id,
        key_id=actor.key_id,
        address=actor.address or None,
        subject_id=event.subject_id,
        subject=about[:255],
        details=event.payload,
        correlation_id=event.correlation_id,
    )
    insert(entry)
