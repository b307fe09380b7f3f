"""What the workers do; every task takes ids, calls one service, and is safe to run twice."""

from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from continuity.models import Conversation
from continuity.services import bus, conversations, distilling, imports, jobs, retention

__all__ = ["imports"]  # imported for its job runner

RETRIED = {"autoretry_for": (OperationalError,), "retry_backoff": True, "retry_kwargs": {"max_retries": 5}}


@shared_task(name="continuity.distil", **RETRIED)
def distil(conversation_id: str) -> None:
    distilling.catch_up(conversation_id=UUID(conversation_id))


@shared_task(name="continuity.run_job", **RETRIED)
def run_job(job_id: str) -> None:
    jobs.run(job_id=UUID(job_id))


@shared_task(name="continuity.sweep", **RETRIED)
def sweep() -> None:
    """Finds what a dead process or broker left undone: events, jobs, distilling."""
    now = timezone.now()
    bus.sweep()
    jobs.sweep(now=now)
    left = Conversation.objects.unfolded().filter(updated_at__lte=now - timedelta(seconds=5)).order_by("updated_at")
    for conversation_id in left.values_list("id", flat=True)[:100]:
        distilling.catch_up(conversation_id=conversation_id, steps=20)


@shared_task(name="continuity.refold_outdated", **RETRIED)
def refold_outdated() -> None:
    distilling.refold_outdated(limit=20)


@shared_task(name="continuity.expire_conversations", **RETRIED)
def expire_conversations() -> None:
    conversations.expire_lapsed(now=timezone.now())


@shared_task(name="continuity.purge", **RETRIED)
def purge() -> None:
    retention.purge(now=timezone.now())
