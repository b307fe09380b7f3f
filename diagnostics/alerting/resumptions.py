"""The alert for failed resumptions (CONT-06, "Success Metrics Summary": more than 99 % succeed). Pure."""

from __future__ import annotations

from datetime import timedelta

TARGET = 0.99
WINDOW = timedelta(hours=24)
# One failure of a few attempts is below the target by itself, and tells little: two of at least ten are a pattern.
LEAST, LEAST_FAILED = 10, 2


def fail_too_often(attempted: int, succeeded: int) -> bool:
    """Whether `attempted` resumptions of the last 24 hours, of which so many `succeeded`, are to be told of."""
    failed = attempted - succeeded
    return attempted >= LEAST and failed >= LEAST_FAILED and succeeded / attempted < TARGET


def sentence(attempted: int, succeeded: int) -> str:
    return f"{attempted - succeeded} of {attempted} resumptions in 24 hours failed; more than {TARGET:.0%} are to succeed"
