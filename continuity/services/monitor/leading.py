"""One monitor leads, however many run: who holds an advisory lock of the database, for as long as its connection lives."""

from django.db import connection

LOCK = 0x436F6E74_6D6F6E69 & 0x7FFFFFFF_FFFFFFFF


def try_to_lead() -> bool:
    """Takes the lock where nobody has it. It goes with the connection, however this process ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        return bool(cursor.fetchone()[0])


def leads() -> bool:
    """Whether this connection still holds the lock: after it was lost and made anew it does not."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
            " AND classid = (%s::bigint >> 32)::int::oid AND objid = (%s::bigint & 4294967295)::oid AND granted)",
            [LOCK, LOCK],
        )
        return bool(cursor.fetchone()[0])


def step_down() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
