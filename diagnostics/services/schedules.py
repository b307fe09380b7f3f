"""Noting the runs of scheduled work. A note that can't be written never stops the work itself."""

import logging
from datetime import datetime
from typing import Any

from django.db import DatabaseError, InterfaceError
from django.db.models import F, Value
from django.db.models.functions import Coalesce

from diagnostics.models import ScheduledRun

logger = logging.getLogger("continuity.schedule")


def begun(*, name: str, now: datetime) -> None:
    """Notes that the work begins."""
    try:
        if not ScheduledRun.objects.filter(name=name).update(started_at=now):
            ScheduledRun.objects.get_or_create(name=name, defaults={"started_at": now})
    except (DatabaseError, InterfaceError) as error:
        _not_noted(name, error)


def ended(*, name: str, now: datetime, seconds: float, error: str = "") -> None:
    """Notes how it ended; `error` is the kind of what went wrong, empty where nothing did."""
    done = {"finished_at": now, "seconds": seconds, "runs": F("runs") + 1}
    failed: dict[str, Any] = {"failing_since": None}
    if error:
        failed = {
            "failures": F("failures") + 1,
            "failed_at": now,
            "error": error[:120],
            "failing_since": Coalesce("failing_since", Value(now)),
        }
    try:
        ScheduledRun.objects.filter(name=name).update(**done, **failed)
    except (DatabaseError, InterfaceError) as away:
        _not_noted(name, away)


def _not_noted(name: str, error: Exception) -> None:
    logger.warning("The run of %s could not be noted", name, extra={"metadata": {"error": type(error).__name__}})
