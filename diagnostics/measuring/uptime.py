"""For which share of a month the installation was ready (SC-001, FR-039). Pure.

Looks are some seconds apart. Of the time between two of them that counts as up at whose beginning and end it was ready; a longer gap is
time in which nobody could look, which counts as down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

LOOK_SECONDS = 10.0
LONGEST_GAP = 30.0


@dataclass(frozen=True, slots=True)
class UptimeMonth:
    """`since` is the first moment that counts, `looked_at` the last look and `ready` what it found."""

    month: date
    since: datetime
    looked_at: datetime
    ready: bool
    ready_seconds: float = 0.0

    def share(self, now: datetime | None = None) -> float:
        """0..1, up to `now`, or to the last look: of a month that is over the rest counts as nothing."""
        seconds = ((now or self.looked_at) - self.since).total_seconds()
        return min(1.0, self.ready_seconds / seconds) if seconds > 0 else float(self.ready)


def month_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date().replace(day=1)


def looked(before: UptimeMonth | None, *, now: datetime, ready: bool) -> UptimeMonth:
    """The month after a look at it: of the installation's first look, that of before, or the next one, which counts from its beginning."""
    month = month_of(now)
    if before is None:
        return UptimeMonth(month, since=now, looked_at=now, ready=ready)
    began = datetime(month.year, month.month, 1, tzinfo=UTC)
    known = before if before.month == month else UptimeMonth(month, since=began, looked_at=now, ready=ready)
    gap = (now - before.looked_at).total_seconds()
    counts = ready and before.ready and 0 < gap <= LONGEST_GAP
    up = min(gap, (now - began).total_seconds()) if counts else 0.0
    return replace(known, looked_at=max(now, known.looked_at), ready=ready, ready_seconds=known.ready_seconds + up)
