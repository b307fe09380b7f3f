"""When an event that a subscriber did not take is given to it again. Pure."""

from __future__ import annotations

from datetime import timedelta

ATTEMPTS = 5
# How long a subscriber may work on an event before it is taken for lost; "still working" begins it anew.
LEASE = timedelta(seconds=30)
LONGEST_LEASE = timedelta(minutes=10)
LONGEST = timedelta(seconds=60)
# A subscriber that nobody heard of for so long is away: what happens meanwhile it missed.
AWAY = timedelta(seconds=90)
# A receiver of webhooks that failed so often in a row is left alone for a while.
FAILURES = 5


def after(attempts: int) -> timedelta:
    """The pause after so many attempts: 1, 2, 4, 8 … seconds, a minute at most."""
    return min(LONGEST, timedelta(seconds=2 ** min(max(attempts, 1) - 1, 6)))


def breaker_pause(failures: int) -> timedelta:
    """How long a receiver is left alone after so many failures in a row; nothing before the fifth, then 5, 10, 20 … 300 seconds."""
    if failures < FAILURES:
        return timedelta(0)
    return min(timedelta(minutes=5), timedelta(seconds=5 * 2 ** min(failures - FAILURES, 6)))
