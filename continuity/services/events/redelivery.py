"""Giving events again to the subscribers that could not take them, and what happens to those that never do."""

import logging
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from continuity.core.isolation import name_of
from continuity.core.transactions import atomic
from continuity.models import DeadLetter, LetterStatus
from continuity.services.events import bus, dead_letters, events
from continuity.services.jobs import lock_waits
from continuity.services.jobs.deferrals import LOCK_WAIT

logger = logging.getLogger("continuity.events")

ABANDONED, DISCARDED = "delivery.abandoned", "delivery.discarded"


def sweep(*, now: datetime, limit: int = 200, among: Collection[UUID] | None = None) -> int:
    """Tries the letters that are due, each by itself. Returns how many were taken."""
    rows = DeadLetter.objects.due(now) if among is None else DeadLetter.objects.due(now).filter(id__in=among)
    due = rows.order_by("retry_at").values_list("id", flat=True)
    taken = 0
    with lock_waits.at_most(LOCK_WAIT):
        for letter_id in list(due[:limit]):
            with transaction.atomic():
                letter = dead_letters.claim(letter_id=letter_id, now=now)
            if letter is not None:
                taken += _try(letter)
    return taken


@atomic
def try_again(*, chosen: "QuerySet[DeadLetter]") -> int:
    """Lets the chosen letters be tried with the next sweep, with all their attempts. Returns how many."""
    return chosen.update(status=LetterStatus.RETRYING, attempts=0, retry_at=timezone.now())


@atomic
def discard(*, chosen: "QuerySet[DeadLetter]") -> int:
    """Gives the chosen letters up for good: their subscribers never take these events. Returns how many."""
    gone = list(chosen.select_related("team"))
    for letter in gone:
        publish_outcome(DISCARDED, letter)
    return chosen.filter(id__in=[letter.id for letter in gone]).delete()[0]


def _try(letter: DeadLetter) -> bool:
    takes = dead_letters.subscriber_named(letter.subscriber)
    if takes is None:
        _bury(letter.id, "There is no such subscriber any more")
        return False
    if letter.attempts > dead_letters.MAX_ATTEMPTS:
        _bury(letter.id, letter.reason)  # Its last attempt ended the process.
        return False
    try:
        with bus.caused_by(letter.event), transaction.atomic():
            takes(letter.event)
    except Exception as error:
        if lock_waits.is_lost() and isinstance(error, (OperationalError, InterfaceError)):
            raise
        told = {"event_id": str(letter.event_id), "subscriber": letter.subscriber, "attempts": letter.attempts}
        logger.exception("%s failed again for %s", letter.subscriber, letter.event.name, extra={"metadata": told})
        _failed(letter, error)
        return False
    DeadLetter.objects.filter(id=letter.id).delete()
    return True


def _failed(letter: DeadLetter, error: BaseException) -> None:
    now = timezone.now()
    told = {"reason": name_of(error), "failed_at": now, "retry_at": now + dead_letters.pause_after(letter.attempts)}
    DeadLetter.objects.filter(id=letter.id).update(**told)
    if letter.attempts >= dead_letters.MAX_ATTEMPTS:
        _bury(letter.id, name_of(error))


@atomic
def _bury(letter_id: UUID, reason: str) -> None:
    """Marks a letter as dead, and tells of it; not of one about such a notice, which would have no end."""
    letter = DeadLetter.objects.select_for_update(of=("self",)).select_related("event", "team").filter(id=letter_id).first()
    if letter is None or letter.status == LetterStatus.DEAD:
        return
    DeadLetter.objects.filter(id=letter.id).update(status=LetterStatus.DEAD, retry_at=None, reason=reason)
    letter.reason = reason
    logger.error(
        "%s never took %s #%s: it waits as a dead letter",
        letter.subscriber,
        letter.event.name,
        letter.event.position,
        extra={"metadata": {"letter_id": str(letter.id), "event_id": str(letter.event_id), "reason": reason}},
    )
    if letter.event.name != ABANDONED:
        publish_outcome(ABANDONED, letter)


def publish_outcome(name: str, letter: DeadLetter) -> None:
    """Tells what became of a letter. The caller's transaction."""
    payload = {"letter_id": str(letter.id), "event_id": str(letter.event_id), "subscriber": letter.subscriber, "error": letter.reason}
    events.publish(name=name, team=letter.team, subject_id=letter.event.subject_id, payload=payload, critical=name == ABANDONED)
