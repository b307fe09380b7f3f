"""What the monitor does for alerts."""

from datetime import datetime, timedelta

from continuity.services.monitor import watches
from diagnostics.services import raising


def ends(now: datetime) -> datetime | None:
    """The channels hear within seconds that an alert is over."""
    raising.tell_ends()
    return now + timedelta(seconds=5)


def purge(now: datetime) -> datetime | None:
    raising.watch_purge(now=now)
    return now + timedelta(seconds=60)


watches.register("ends of alerts", ends)
watches.register("purge", purge)
