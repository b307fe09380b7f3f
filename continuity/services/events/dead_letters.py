"""Noting that one subscriber could not take an event, so that it holds up neither the other subscribers nor later events."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from continuity.core.isolation import name_of
from continuity.models import DeadLetter, Event, LetterStatus
from continuity.models.letters import LONGEST_PAUSE

MAX_ATTEMPTS = 20

Subscriber = Callable[[Event], None]
_subscribers: dict[str, Subscriber] = {}
_families: dict[str, Callable[[str], Subscriber]] = {}


def subscriber(name: str, takes: Subscriber) -> None:
    """Registers how an event is given to a subscriber once more. It may get an event twice, so it must be safe to."""
    _subscribers[name] = takes


def family(prefix: str, maker: Callable[[str], Subscriber]) -> None:
    """Registers how subscribers are given an event once more whose names begin so: `maker` makes one from its name."""
    _families[prefix] = maker


def subscriber_named(name: str) -> Subscriber | None:
    known = _subscribers.get(name)
    maker = _families.get(f"{name.partition(':')[0]}:")
    return known or (maker(name) if maker else None)


def note(*, event: Event, subscriber: str, error: BaseException | str) -> None:
    """Keeps an event for a subscriber that failed to take it; it is given again soon, then at growing pauses. The caller's transaction,
    or none."""
    now = timezone.now()
    told = {"reason": error if isinstance(error, str) else name_of(error), "failed_at": now}
    letter, new = DeadLetter.objects.get_or_create(
        event_id=event.id, subscriber=subscriber, defaults={**told, "team_id": event.team_id, "retry_at": now + pause_after(1)}
    )
    if not new:
        again = {"attempts": F("attempts") + 1, "retry_at": now + pause_after(letter.attempts + 1)}
        DeadLetter.objects.filter(id=letter.id, status=LetterStatus.RETRYING).update(**told, **again)


def pause_after(attempts: int) -> timedelta:
    """How long to wait after that many attempts: 1, 2, 4 … seconds, an hour at most."""
    return min(LONGEST_PAUSE, timedelta(seconds=2 ** min(max(attempts, 1) - 1, 12)))


def claim(*, letter_id: UUID, now: datetime) -> DeadLetter | None:
    """The letter, with one attempt more, for who tries it now; None where it is not due, or another process has it."""
    found = DeadLetter.objects.select_for_update(skip_locked=True).due(now).filter(id=letter_id).first()
    if found is None:
        return None
    found.attempts += 1
    found.retry_at = now + max(pause_after(found.attempts), timedelta(minutes=1))  # Also where the attempt ends the process.
    found.save(update_fields=["attempts", "retry_at"])
    return found
