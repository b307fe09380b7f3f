"""Who waits for a lock in this database, seen from another connection."""

from __future__ import annotations

from django.db import connection


def waiting_for_locks() -> int:
    """How many connections wait now. A transaction goes on seeing what it first saw of the others, unless it is told to look anew."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        return int(cursor.fetchone()[0])
