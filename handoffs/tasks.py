"""What the workers do about handoffs."""

from uuid import UUID

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from handoffs.services import automatic, checks, cleanup, erasing, preparation, probing

__all__ = ["preparation"]  # imported for its job runner


@shared_task(name="handoffs.delete_expired", autoretry_for=(OperationalError,), retry_backoff=True)
def delete_expired() -> None:
    now = timezone.now()
    cleanup.warn_of_expiring(now=now)
    cleanup.delete_expired(now=now)
    checks.forget(now=now)


@shared_task(name="handoffs.make_ready", autoretry_for=(OperationalError,), retry_backoff=True)
def make_ready(conversation_id: str) -> None:
    automatic.make_ready(conversation_id=UUID(conversation_id))


@shared_task(name="handoffs.gather_probes", autoretry_for=(OperationalError,), retry_backoff=True)
def gather_probes(conversation_id: str) -> None:
    probing.gather(conversation_id=UUID(conversation_id))


@shared_task(name="handoffs.gather_left_probes", autoretry_for=(OperationalError,), retry_backoff=True)
def gather_left_probes() -> None:
    probing.sweep()


@shared_task(name="handoffs.finish_erasing", autoretry_for=(OperationalError,), retry_backoff=True)
def finish_erasing() -> None:
    erasing.sweep(now=timezone.now())
