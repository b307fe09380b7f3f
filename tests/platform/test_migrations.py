"""Migrations of tables that grow: nobody who writes waits while they are gone through."""

import io

import pytest
from django.core.management import call_command
from django.db import connection

pytestmark = pytest.mark.django_db(transaction=True)  # what may not run in a transaction is not shown in one either


def statements(app: str, number: str) -> str:
    out = io.StringIO()
    call_command("sqlmigrate", app, number, stdout=out, no_color=True)
    return out.getvalue()


def test_it_works():
    built = statements("continuity", "0020")
    assert 'CREATE INDEX CONCURRENTLY "anchor_latest"' in built
    assert "BEGIN" not in built


def test_an_interrupted_index_is_built_again():
    built = statements("continuity", "0020")
    assert 0 <= built.find("DROP INDEX CONCURRENTLY IF EXISTS anchor_latest") < built.find("CREATE INDEX")


def test_packages_are_not_written_anew():
    renamed = statements("handoffs", "0011")
    assert "RENAME COLUMN" in renamed
    assert "UPDATE" not in renamed


def test_the_index_is_there_and_valid():
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = 'anchor_latest'::regclass")
        assert cursor.fetchall() == [(True,)]
