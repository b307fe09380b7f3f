"""Failures of long work: whether another try may succeed, and what its owner is told. Never a conversation's words."""

from __future__ import annotations

import traceback
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

from continuity.core.correlation import current_correlation_id

# The store, the broker, the disk or the network was away or busy, or somebody else was faster.
PASSING = (OperationalError, InterfaceError, IntegrityError, OSError, MemoryError, RedisError, BrokerError)
# Of these, what no other try changes.
LASTING = (FileNotFoundError, IsADirectoryError, NotADirectoryError)


def may_pass(error: Exception) -> bool:
    """Whether another try may succeed. A fault of our own code does the same each time."""
    return isinstance(error, PASSING) and not isinstance(error, LASTING)


def failure_text(error: Exception, *, place: str) -> str:
    """Describes what failed for good, where, and by which id its log lines are found."""
    known = f"; in its log: {current_correlation_id()}" if current_correlation_id() else ""
    return f"{cause(error, place=place)} This is a fault of Continuity, and another try would not help{known}."


def cause(error: Exception, *, place: str) -> str:
    """`Line 8 of the file: ValueError in continuity/transcripts/swe_agent.py, line 141.` An error's own message may hold anything."""
    return f"{place}: {_where(error)}." if place else f"{_where(error)}."


def _where(error: Exception) -> str:
    """The kind of error, and the last line of ours that led to it."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(settings.BASE_DIR) and "site-packages" not in path.parts:
            return f"{type(error).__name__} in {path.relative_to(settings.BASE_DIR)}, line {frame.lineno}"
    return type(error).__name__
