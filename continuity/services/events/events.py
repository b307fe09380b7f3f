"""Writing an event with the change it tells of."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from continuity.core.correlation import current_correlation_id
from continuity.core.tracing import current_traceparent
from continuity.models import Event, Team
from continuity.services.accounts import audit
from continuity.services.events import bus
from continuity.services.recording.row_sql import insert

logger = logging.getLogger("continuity.events")

_history: ContextVar[bool] = ContextVar("history", default=False)


@contextmanager
def as_history() -> Iterator[None]:
    """Events of the block tell of what is said to be long ago: they are stored as delivered, and nothing follows from them."""
    token = _history.set(True)
    try:
        yield
    finally:
        _history.reset(token)


def publish(
    *,
    name: str,
    team: Team | None,
    subject_id: UUID | None = None,
    payload: Mapping[str, Any] | None = None,
    critical: bool = False,
    about: str = "",
) -> Event:
    """Stores an event in the caller's transaction and delivers it when that commits.

    `name` is `noun.past_tense`; `payload` holds ids and numbers. What the audit log keeps is written there too, with
    `about`, the name of a person, a key or a team that this was done to. Must be called inside a transaction, so that the
    event stands or falls with its cause; a delivery that fails is repeated by the sweep.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"{name} must be published in the transaction that caused it")
    event = Event(
        team=team, name=name, subject_id=subject_id, payload=dict(payload or {}), critical=critical,
        correlation_id=current_correlation_id(), traceparent=current_traceparent(),
    )  # fmt: skip
    if _history.get():
        event.dispatched_at = event.relayed_at = timezone.now()
        insert(event)
        return event
    if not bus.has_handlers(name):
        event.dispatched_at = timezone.now()
    insert(event)
    audit.record(event, about=about)
    transaction.on_commit(lambda: bus.deliver(event), robust=True)
    return event
