"""Answers to a caller when the database refused or did not answer."""

from __future__ import annotations

from django.conf import settings
from psycopg import errors

from continuity.core.error_categories import ErrorCategory, rule_of
from continuity.core.errors import DomainError, Locked, TookTooLong, Unavailable

RETRY_SECONDS = 5


def refusal_of(error: Exception) -> DomainError:
    """The error for a caller: somebody else holds a lock, a statement took too long, or the database can't be reached."""
    cause = error.__cause__
    if isinstance(cause, errors.LockNotAvailable) or rule_of(error).category is ErrorCategory.CONTENTION:
        return Locked(retry_after=1)
    if isinstance(cause, errors.QueryCanceled):
        return TookTooLong(seconds=f"{settings.CONTINUITY_REQUEST_SECONDS:g}", retry_after=RETRY_SECONDS)
    return Unavailable(retry_after=RETRY_SECONDS)
