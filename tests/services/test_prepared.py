"""Statements that are prepared: the same rows, planned once, and no trouble where a migration changes what they read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import NotSupportedError, ProgrammingError, connection
from django.test.utils import CaptureQueriesContext

from continuity.services.jobs import prepared

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "SELECT words FROM a_table_of_this_test WHERE words = ANY(%s)"


@pytest.fixture
def table() -> Iterator[None]:
    connection.close()  # What others prepared goes with theirs.
    change("CREATE TABLE a_table_of_this_test AS SELECT 'one'::varchar(10) AS words")
    yield
    change("DROP TABLE a_table_of_this_test")


def change(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_it_works(table: None) -> None:
    for _ in range(3):
        assert prepared.rows(ASKED, [["one", "two"]]) == [("one",)]
    kept = "SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement LIKE %s"
    assert prepared.rows(kept, ["SELECT words%"]) == [(3,)]


def test_names_are_given_too(table: None) -> None:
    assert prepared.rows("SELECT words FROM a_table_of_this_test WHERE words = %(word)s", {"word": "one"}) == [("one",)]


def test_who_watches_statements_sees_them(table: None) -> None:
    with CaptureQueriesContext(connection) as seen:
        assert prepared.rows(ASKED, [["one"]]) == [("one",)]
    assert len(seen) == 1


def test_errors_are_those_of_django() -> None:
    with pytest.raises(ProgrammingError):
        prepared.rows("SELECT * FROM a_table_that_is_not_there", [])


def test_a_column_of_another_type_fails_once(table: None) -> None:
    assert prepared.rows(ASKED, [["one"]]) == [("one",)]
    elsewhere = connection.copy()
    with elsewhere.cursor() as cursor:
        cursor.execute("ALTER TABLE a_table_of_this_test ALTER COLUMN words TYPE text")
    elsewhere.close()
    with pytest.raises(NotSupportedError):
        prepared.rows(ASKED, [["one"]])
    connection.close()
    assert prepared.rows(ASKED, [["one"]]) == [("one",)]
