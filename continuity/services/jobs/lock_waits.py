"""Limits on how long statements wait for a row that somebody else holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import connection

_SET = "SELECT current_setting('lock_timeout'), set_config('lock_timeout', %s, false)"


@contextmanager
def at_most(wait: timedelta) -> Iterator[None]:
    """Statements of the block that would wait longer for a lock raise OperationalError. Two statements."""
    before = _set(f"{wait // timedelta(milliseconds=1)}ms")
    try:
        yield
    finally:
        if not is_lost() and not (connection.in_atomic_block and connection.needs_rollback):
            _set(before)


def is_lost() -> bool:
    """Whether the database went away under the connection."""
    return connection.connection is None or bool(connection.connection.closed)


def _set(wait: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(_SET, [wait])
        return str(cursor.fetchone()[0])
