"""Celery tasks of metrics."""

import logging
import os
import time
from functools import partial
from importlib import import_module
from typing import Any

from celery import shared_task, signals
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from continuity.services.jobs import sweep_parts
from diagnostics.services import alerts, attempts, auditing, background_alerts, demo, measurements, schedules, scrapes

__all__ = ["auditing", "demo"]  # imported for their job runners

logger = logging.getLogger("continuity.metrics")

_began: dict[str, float] = {}

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
    attempts.forget(now=timezone.now())


@shared_task(name="diagnostics.settle_alerts", autoretry_for=(OperationalError,), retry_backoff=True)
def settle_alerts() -> None:
    now = timezone.now()
    sweep_parts.all_of(
        saves=partial(alerts.settle, now=now),
        letters=background_alerts.settle,
        gaps=background_alerts.settle_gaps,
        resumptions=partial(alerts.watch_resumptions, now=now),
    )


@signals.task_prerun.connect(weak=False)
def note_begin(task_id: str = "", task: Any = None, **_: Any) -> None:
    """Notes that scheduled work begins, in whichever worker."""
    if task.name in {entry["task"] for entry in task.app.conf.beat_schedule.values()}:
        _began[task_id] = time.monotonic()
        schedules.begun(name=task.name, now=timezone.now())


@signals.task_postrun.connect(weak=False)
def note_end(task_id: str = "", task: Any = None, state: str = "", retval: Any = None, **_: Any) -> None:
    """Notes how it ended. A task that will be tried again has not ended well."""
    began = _began.pop(task_id, None)
    if began is not None:
        error = "" if state == "SUCCESS" else type(retval).__name__ if isinstance(retval, BaseException) else "failed"
        schedules.ended(name=task.name, now=timezone.now(), seconds=time.monotonic() - began, error=error)
