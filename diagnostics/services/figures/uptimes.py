"""Keeps for how much of each month `/ready` said so."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import date, datetime

from django.conf import settings
from django.db import transaction

from diagnostics.measuring import uptime
from diagnostics.measuring.uptime import UptimeMonth
from diagnostics.models import Uptime

ANSWER_SECONDS = 5.0
# So many months are shown.
SHOWN = 13


def ask() -> bool:
    """Whether `/ready` answers 200, at CONTINUITY_READY_URL."""
    try:
        with urllib.request.urlopen(settings.CONTINUITY_READY_URL, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 (settings allow http alone)
            return bool(answer.status == 200)
    except (OSError, ValueError):
        return False


@transaction.atomic
def note(*, ready: bool, now: datetime) -> UptimeMonth:
    """Adds a look. Two queries."""
    last = Uptime.objects.select_for_update().order_by("-month").first()
    found = uptime.looked(_plain(last) if last else None, now=now, ready=ready)
    if last is not None and found.month < last.month:
        return _plain(last)  # A clock that was set back.
    values = {"since": found.since, "looked_at": found.looked_at, "ready": found.ready, "ready_seconds": found.ready_seconds}
    Uptime.objects.update_or_create(month=found.month, defaults=values)
    return found


def shares(*, now: datetime) -> Iterator[tuple[date, float]]:
    """The last months, the latest first, each with its share (0..1). Time since the last look counts as down. One query."""
    for row in Uptime.objects.order_by("-month")[:SHOWN]:
        month = _plain(row)
        late = month.month == uptime.month_of(now) and (now - month.looked_at).total_seconds() > uptime.LONGEST_GAP
        yield month.month, month.share(now if late else None)


def _plain(row: Uptime) -> UptimeMonth:
    return UptimeMonth(row.month, row.since, row.looked_at, row.ready, row.ready_seconds)
