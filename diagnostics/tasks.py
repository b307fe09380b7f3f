"""What the workers do about metrics."""

import logging
import os
from importlib import import_module

from celery import shared_task
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from diagnostics.services import auditing, measurements, scrapes

__all__ = ["auditing"]  # imported for its job runner

logger = logging.getLogger("continuity.metrics")

ADDRESSES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")


@shared_task(name="diagnostics.measure", autoretry_for=(OperationalError,), retry_backoff=True)
def measure() -> None:
    measurements.catch_up()


@shared_task(name="diagnostics.export_metrics")
def export_metrics() -> None:
    """Sends the metrics where an address is set; what it could not send, the next one sends with its own."""
    if not any(os.environ.get(name) for name in ADDRESSES):
        return
    measurements.catch_up()
    otlp = import_module("diagnostics.otlp")  # Imported by workers that export, not by all.
    if not otlp.send(scrapes.points(), now=timezone.now(), version=settings.CONTINUITY_VERSION):
        logger.warning("The metrics could not be exported")


@shared_task(name="diagnostics.forget_attempts", autoretry_for=(OperationalError,), retry_backoff=True)
def forget_attempts() -> None:
    measurements.forget(now=timezone.now())
