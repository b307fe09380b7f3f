"""Clearing away what an invalidated conversation still holds: its unfinished work, its uploads, its entries in the event stream (FR-004a).

Tried at once, and once more after ten seconds. Then the conversation is `invalidated_pending_cleanup`, and beat tries again
after 5, 10, 20, 40 and then every 60 minutes, until it is done. After ten attempts operators are told.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from continuity.core.isolation import name_of
from continuity.core.transactions import atomic
from continuity.models import Cleanup, Conversation, ConversationStatus, Job
from continuity.services.erasure import external_copies
from continuity.services.events import events
from continuity.services.jobs import jobs, lock_waits, queueing
from continuity.services.jobs.deferrals import LOCK_WAIT

logger = logging.getLogger("continuity.cleanup")

FIRST_TRIES = 2
ALERT_AFTER = 10
RETRY = timedelta(seconds=10)
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(minutes=5), timedelta(minutes=60)
# A worker that dies while it clears away leaves the row due again after this.
LEASE = timedelta(seconds=30)
# Beat comes every five minutes, give or take: what is due within this is not left for the next time.
SLACK = timedelta(minutes=1)


def ask(*, conversation: Conversation, now: datetime) -> None:
    """Notes that there is something to clear away, and lets a worker begin when the caller's transaction commits."""
    Cleanup.objects.get_or_create(conversation=conversation, defaults={"team_id": conversation.team_id, "due_at": now})
    queueing.send("continuity.clean_up_invalidated")


def sweep(*, now: datetime, limit: int = 100) -> int:
    """Makes the first tries that are due. Returns how many."""
    return _attempt_all(Cleanup.objects.due(now).filter(attempts__lt=FIRST_TRIES), now, limit)


def sweep_pending(*, now: datetime, limit: int = 100) -> int:
    """Tries again what failed twice and is due. Returns how many."""
    return _attempt_all(Cleanup.objects.due(now + SLACK).filter(attempts__gte=FIRST_TRIES), now, limit)


def hurry(*, chosen: "models.QuerySet[Cleanup]", now: datetime, limit: int = 100) -> int:
    """Tries the chosen ones at once, whenever they are due. Returns how many were tried."""
    return _attempt_all(chosen.filter(done_at=None), now, limit)


def _attempt_all(due: "models.QuerySet[Cleanup]", now: datetime, limit: int) -> int:
    taken = list(due.order_by("due_at").values_list("id", "due_at")[:limit])
    with lock_waits.at_most(LOCK_WAIT):
        return sum(_attempt(cleanup_id, due_at, now) for cleanup_id, due_at in taken)


def _attempt(cleanup_id: UUID, due_at: datetime, now: datetime) -> bool:
    """One try; False where another process makes it."""
    of_row = Cleanup.objects.filter(id=cleanup_id, done_at=None)
    mine = of_row.filter(due_at=due_at)
    with transaction.atomic():
        # Whoever holds the row works on it, or keeps it from being worked on; the next sweep looks again.
        if not mine.select_for_update(skip_locked=True, of=("self",)).exists():
            return False
        mine.update(due_at=now + LEASE, attempts=models.F("attempts") + 1)
    cleanup = of_row.select_related("conversation", "team").first()
    if cleanup is None:
        return False  # Erased meanwhile, with its conversation.
    logger.info("Cleaning up conversation %s, attempt %d", cleanup.conversation_id, cleanup.attempts)
    try:
        _clear(cleanup.conversation)
    except (OSError, external_copies.TracesRemain) as error:
        _postpone(cleanup, now, error)
    except Exception as error:
        if lock_waits.is_lost():
            raise
        logger.exception("Cleaning up conversation %s failed", cleanup.conversation_id)
        _postpone(cleanup, now, error)
    else:
        _finish(cleanup, now)
    return True


def _clear(conversation: Conversation) -> None:
    files = jobs.end_all(conversations=[conversation.id], reason="Session invalidated")
    of_jobs = Job.objects.filter(conversation=conversation).values_list("id", flat=True)
    external_copies.remove(subjects=[conversation.id, *of_jobs], files=files)


def pause_after(attempts: int) -> timedelta:
    """How long to wait after that many failed attempts: 10 s, then 5, 10, 20, 40, 60, 60 … minutes."""
    if attempts < FIRST_TRIES:
        return RETRY
    grown: int = 2 ** min(attempts - FIRST_TRIES, 10)
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * grown)


@atomic
def _postpone(cleanup: Cleanup, now: datetime, error: Exception) -> None:
    logger.warning(
        "Conversation %s could not be cleaned up, attempt %d: %s", cleanup.conversation_id, cleanup.attempts, type(error).__name__
    )
    again = Cleanup.objects.filter(id=cleanup.id, done_at=None)
    again.update(due_at=now + pause_after(cleanup.attempts), error=_said(error))
    if cleanup.attempts >= FIRST_TRIES:
        _mark(cleanup, ConversationStatus.INVALIDATED, ConversationStatus.INVALIDATED_PENDING_CLEANUP)
    if cleanup.attempts >= ALERT_AFTER and again.filter(alerted_at=None).update(alerted_at=now):
        payload = {"attempts": cleanup.attempts}
        events.publish(name="cleanup.failed", team=cleanup.team, subject_id=cleanup.conversation_id, payload=payload, critical=True)
        logger.critical("Conversation %s could not be cleaned up in %d attempts", cleanup.conversation_id, cleanup.attempts)


def _said(error: Exception) -> str:
    """The text kept of an error: of those that name files and services their message too, which holds no words of a conversation."""
    own = isinstance(error, OSError | external_copies.TracesRemain)
    return (f"{type(error).__name__}: {error}" if own else name_of(error))[:200]


@atomic
def _finish(cleanup: Cleanup, now: datetime) -> None:
    if Cleanup.objects.filter(id=cleanup.id, done_at=None).update(done_at=now, error=""):
        _mark(cleanup, ConversationStatus.INVALIDATED_PENDING_CLEANUP, ConversationStatus.INVALIDATED)
        payload = {"attempts": cleanup.attempts}
        events.publish(name="conversation.cleaned_up", team=cleanup.team, subject_id=cleanup.conversation_id, payload=payload)


def _mark(cleanup: Cleanup, before: ConversationStatus, after: ConversationStatus) -> None:
    of_row = Conversation.objects.filter(id=cleanup.conversation_id, status=before)
    of_row.update(status=after, version=models.F("version") + 1, updated_at=timezone.now())
