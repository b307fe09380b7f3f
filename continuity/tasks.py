"""What the workers do; every task takes ids, calls one service, and is safe to run twice."""

from collections.abc import Callable
from datetime import timedelta
from typing import ParamSpec
from uuid import UUID

from celery import Task, shared_task
from django.db import OperationalError
from django.utils import timezone

from continuity import clock
from continuity.models import Conversation
from continuity.services import bus, cleanups, conversations, distilling, imports, indexing, jobs, notices, proposing, retention, segments

__all__ = ["imports", "proposing"]  # imported for their job runners

P = ParamSpec("P")


def task(name: str) -> Callable[[Callable[P, None]], Task[P, None]]:
    """A task that is repeated where the database went away under it."""
    return shared_task(name=name, autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)


@task("continuity.distil")
def distil(conversation_id: str) -> None:
    distilling.catch_up(conversation_id=UUID(conversation_id))
    indexing.catch_up()


@task("continuity.tell_segments")
def tell_segments(conversation_id: str) -> None:
    segments.tell_untold(conversation_id=UUID(conversation_id))


@task("continuity.run_job")
def run_job(job_id: str) -> None:
    jobs.run(job_id=UUID(job_id))


@task("continuity.sweep")
def sweep() -> None:
    """Finds what a dead process or broker left undone: events, jobs, cleaning up, distilling, words to search by, levels of segments."""
    now = timezone.now()
    bus.sweep()
    jobs.sweep(now=now)
    cleanups.sweep(now=now)
    left = Conversation.objects.unfolded().filter(clock.settled("updated_at", now=now, age=timedelta(seconds=5))).order_by("updated_at")
    for conversation_id in left.values_list("id", flat=True)[:100]:
        distilling.catch_up(conversation_id=conversation_id, steps=20)
    indexing.catch_up()
    segments.tell_untold(now=now, limit=200)


@task("continuity.refold_outdated")
def refold_outdated() -> None:
    distilling.refold_outdated(limit=20)


@task("continuity.expire_conversations")
def expire_conversations() -> None:
    now = timezone.now()
    notices.warn_of_conversations(now=now)
    conversations.expire_lapsed(now=now)
    conversations.mark_idle(now=now)


@task("continuity.clean_up_invalidated")
def clean_up_invalidated() -> None:
    cleanups.sweep(now=timezone.now())


@task("continuity.clean_up_pending")
def clean_up_pending() -> None:
    cleanups.sweep_pending(now=timezone.now())


@task("continuity.purge")
def purge() -> None:
    retention.purge(now=timezone.now())
