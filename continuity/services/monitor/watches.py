"""The registry of the monitor's watches. A watch does what is due and says when it wants to be called again.

Apps register theirs where they are loaded: `watches.register("name", watch)`. One that raises is told of and called again after a pause;
the others notice nothing.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connection

from continuity.core.isolation import name_of
from continuity.services.jobs import lock_waits

logger = logging.getLogger("continuity.monitor")

# Given the time, does what is due; answers when it is next due by the same clock, None where only news make something due.
Watch = Callable[[datetime], datetime | None]

LONGEST = timedelta(seconds=60)
# A watch that wants to be called again at once would keep the others from their turn.
SHORTEST = timedelta(milliseconds=50)


@dataclass(slots=True)
class _Entry:
    watch: Watch
    on_news: bool
    rest: float
    failures: int = 0
    due: float = field(default=0.0)


_known: dict[str, _Entry] = {}


def register(name: str, watch: Watch, *, on_news: bool = False, rest: timedelta = timedelta(0)) -> None:
    """`on_news`: it is also called when something happened (the relay's stream, or the broker being away), `rest` later: once for all of
    a moment, and when those that events are handed to have them."""
    _known[name] = _Entry(watch, on_news, rest.total_seconds())


def run_due(*, now: datetime, clock: float, news: bool = False) -> float:
    """Calls each watch whose time has come; gives the seconds to sleep until the next.

    `now` is for rows; `clock` is monotonic, so that a clock that is set back or forth makes nothing late.
    """
    for name, entry in list(_known.items()):
        if news and entry.on_news and not entry.failures:
            entry.due = min(entry.due, clock + entry.rest)
        if entry.due <= clock:
            entry.due = clock + _call(name, entry, now).total_seconds()
    return max(0.0, min((entry.due - clock for entry in _known.values()), default=LONGEST.total_seconds()))


def _call(name: str, entry: _Entry, now: datetime) -> timedelta:
    """How long the watch can wait from `now` on."""
    try:
        due = entry.watch(now)
    except Exception as error:
        entry.failures += 1
        pause = min(LONGEST, timedelta(seconds=2 ** min(entry.failures - 1, 6)))
        told = {"watch": name, "error": name_of(error), "failures": entry.failures, "again_in_seconds": pause.total_seconds()}
        logger.exception("A watch of the monitor failed; the others go on", extra={"metadata": told})
        if lock_waits.is_lost():
            connection.close()
        return pause
    entry.failures = 0
    return LONGEST if due is None else min(LONGEST, max(SHORTEST, due - now))
