"""What a test committed is deleted after it: of the tables that hold rows, and no others.

Django truncates every table, and then makes all content types and permissions anew; they stay here, since no test changes them.
"""

from __future__ import annotations

import os

import pytest
from django.db import connection
from django.test import TransactionTestCase
from psycopg import sql

KEPT = {"django_content_type", "auth_permission"}


def empty_tables() -> None:
    """Also those whose triggers forbid it, and in whatever order rows name each other."""
    names = sorted(set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - KEPT)
    asked = [sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(sql.Literal(name), sql.Identifier(name)) for name in names]
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL(" UNION ALL ").join(asked))
            filled = [sql.Identifier(name) for (name,) in cursor.fetchall()]
            if not filled:
                return
            begin = sql.SQL("BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL lock_timeout = '30s'")
            # Waits for whoever still writes there, as truncating them would.
            lock = sql.SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(sql.SQL(", ").join(filled))
            deletes = [sql.SQL("DELETE FROM {}").format(name) for name in filled]
            cursor.execute(sql.SQL("; ").join([begin, lock, *deletes, sql.SQL("COMMIT")]))
    except BaseException:
        connection.close()  # which ends what was begun: the next test would find it failed
        raise


@pytest.fixture(scope="session", autouse=True)
def emptied_quickly() -> None:
    """In place of Django's own way, also for tests with a live server; only where the server is ours, which lets us."""
    if "CONTINUITY_TEST_TEMPLATE" in os.environ:
        TransactionTestCase._fixture_teardown = lambda case: empty_tables()  # type: ignore[attr-defined]
