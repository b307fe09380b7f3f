"""One monitor leads, however many run: who holds an advisory lock of the database, for as long as its connection lives."""

from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

LOCK = 0x436F6E74_6D6F6E69 & 0x7FFFFFFF_FFFFFFFF

# One that leads and stands still for so long loses its connection, and with it the lock.
SILENT_SECONDS = 10
_HELD = """
SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = (%(lock)s::bigint >> 32)::int::oid AND objid = (%(lock)s::bigint & 4294967295)::oid
    AND (%(anybody)s OR pid = pg_backend_pid()))
"""


def try_to_lead() -> bool:
    """Takes the lock where nobody has it. It goes with the connection, however this process ends or whatever it hangs in."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        leads_now = bool(cursor.fetchone()[0])
        if leads_now:
            cursor.execute("SELECT set_config('idle_session_timeout', %s, false)", [f"{SILENT_SECONDS}s"])
        return leads_now


def leads() -> bool:
    """Whether this connection still holds the lock: after it was lost and made anew it does not."""
    return _is_held(anybody=False)


def somebody_leads() -> bool:
    """Whether a monitor leads, on whatever machine. One query."""
    return _is_held(anybody=True)


def _is_held(*, anybody: bool) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"lock": LOCK, "anybody": anybody})
        return bool(cursor.fetchone()[0])


def bound_connections() -> None:
    """From now on a process that stands still keeps no row locked: its transactions are ended as its lead is."""
    connection_created.connect(_bound, dispatch_uid="monitor")


def _bound(connection: BaseDatabaseWrapper, **_: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", [f"{SILENT_SECONDS}s"])
