"""The monitor's watches for alerts."""

import logging
import threading
from collections import defaultdict
from datetime import datetime, timedelta
from functools import partial

from django.db import DatabaseError, connection
from django.utils import timezone

from continuity.services.monitor import watches
from diagnostics.alerting import channels
from diagnostics.alerting.refusals import Refusals
from diagnostics.measuring.uptime import LOOK_SECONDS
from diagnostics.services import alert_delivery, alert_raising
from diagnostics.services.figures import uptimes

logger = logging.getLogger("continuity.monitor")

OFTEN, SELDOM = timedelta(seconds=5), timedelta(minutes=1)


class PendingAlerts:
    """The channels hear within seconds of an alert and of its end, each in a thread of its own: one that is away holds up no other, nor
    the monitor and its lead. It is asked again after 5 seconds, 10, 20, and every minute in the end. What it refuses concerns that alert
    alone."""

    def __init__(self) -> None:
        self._busy: set[str] = set()
        self._failures: dict[str, int] = {}
        self._again: dict[str, datetime] = {}
        self._refused: defaultdict[str, Refusals] = defaultdict(Refusals)

    def __call__(self, now: datetime) -> datetime | None:
        for name in alert_delivery.waiting(now=now):
            if name not in self._busy and self._again.get(name, now) <= now:
                self._busy.add(name)
                channels.in_background(name, partial(self._tell, name))
        return now + OFTEN

    def _tell(self, name: str) -> None:
        answers = False
        try:
            answers = alert_delivery.deliver(name, self._refused[name])
        finally:
            connection.close()
            failures = self._failures[name] = 0 if answers else self._failures.get(name, 0) + 1
            pause = min(SELDOM, OFTEN * 2 ** min(failures - 1, 6)) if failures else timedelta(0)
            self._again[name] = timezone.now() + pause
            self._busy.discard(name)


def purge(now: datetime) -> datetime | None:
    alert_raising.watch_purge(now=now)
    return now + timedelta(seconds=60)


def latency(now: datetime) -> datetime | None:
    alert_raising.watch_latency(now=now)
    return now + timedelta(seconds=10)


class UptimeWatch:
    """Asks whether the installation is ready, in a thread of its own: an answer that is late holds up nobody who is watched."""

    def __init__(self) -> None:
        self._asking: threading.Thread | None = None

    def __call__(self, now: datetime) -> datetime | None:
        if self._asking is None or not self._asking.is_alive():
            self._asking = threading.Thread(target=self._look, daemon=True, name="uptime")
            self._asking.start()
        return now + timedelta(seconds=LOOK_SECONDS)

    def _look(self) -> None:
        try:
            uptimes.note(ready=uptimes.ask(), now=timezone.now())
        except DatabaseError as error:
            told = {"error": type(error).__name__}
            logger.warning("That it was looked whether Continuity is ready can't be kept: it counts as not ready", extra={"metadata": told})
        finally:
            connection.close()


watches.register("uptime", UptimeWatch())
watches.register("alerts to be told", PendingAlerts())
watches.register("late events", latency)
watches.register("purge", purge)
