"""Events, and refusals, as subscribers get them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from continuity.core.errors import DomainError
from continuity.events.topics import CONTROL_FRAMES
from continuity.services.subscriptions import meters
from continuity.services.subscriptions.event_delivery import HandedEvent

NOT_LOOKED = {"status": 503, "code": "unavailable", "detail": "It could not be looked at all events in time. Ask again."}


def all_as_json(items: Sequence[HandedEvent]) -> list[dict[str, Any]]:
    now = timezone.now()
    return [as_json(item, now) for item in items]


def as_json(item: HandedEvent, now: datetime) -> dict[str, Any]:
    """An event as subscribers get it. `after_ms` is what it took since it was published; null where it waited for the subscriber, was
    missed, or comes again, also from among the dead letters."""
    event = item.event
    return {
        "id": str(event.id),
        "position": event.position,
        "topic": event.subject,
        "payload": event.payload,
        "critical": event.critical,
        "publisher": event.publisher,
        "conversation_id": str(event.subject_id) if event.published and event.subject_id else None,
        "subject_id": str(event.subject_id) if event.subject_id else None,
        "published_at": event.created_at.isoformat(),
        "attempt": item.attempt,
        "replay": item.replay,
        "due_at": item.due_at.isoformat(),
        "after_ms": round(meters.since(event.created_at, now), 2) if item.fresh else None,
        "correlation_id": event.correlation_id,
        "traceparent": event.traceparent,
    }


def frame(row: dict[str, Any]) -> bytes:
    """An event under its topic; without a name where that is one of our own frames', as which a reader would take it."""
    label = "" if row["topic"] in CONTROL_FRAMES else f"event: {row['topic']}\n"
    return f"id: {row['position']}\n{label}data: {json.dumps(row, separators=(',', ':'))}\n\n".encode()


def refusal(problem: dict[str, Any]) -> bytes:
    """An answer without events, which says why."""
    return json.dumps({"items": [], "gap": None, "position": 0, "problem": problem}).encode()


def problem_of(error: Exception) -> dict[str, Any]:
    if isinstance(error, DomainError):
        return {"status": error.status, "code": error.code, "detail": error.detail}
    return {"status": 503, "code": "unavailable", "detail": "The store can't be reached. Try again in 10 seconds."}
