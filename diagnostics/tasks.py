"""What the workers do about metrics."""

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from diagnostics.services import measurements


@shared_task(name="diagnostics.measure", autoretry_for=(OperationalError,), retry_backoff=True)
def measure() -> None:
    measurements.catch_up()


@shared_task(name="diagnostics.forget_attempts", autoretry_for=(OperationalError,), retry_backoff=True)
def forget_attempts() -> None:
    measurements.forget(now=timezone.now())
