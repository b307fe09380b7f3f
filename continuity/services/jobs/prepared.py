"""Statements that come all the time: Postgres reads and plans each once on a connection, and then is only given what is asked with."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import NotSupportedError, connection
from psycopg import Cursor

# So often a statement would have to come to be prepared without being asked for.
_NEVER = 2**31


def rows(statement: str, given: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement, prepared where nobody watches statements of this connection. Raises errors of `django.db`.

    Django writes values into a statement's text, which Postgres then reads and plans anew each time: for one that finds some rows
    by an index, that is most of its work.
    """
    if connection.queries_logged or connection.execute_wrappers:
        with connection.cursor() as cursor:
            cursor.execute(statement, given)
            return list(cursor.fetchall())
    connection.ensure_connection()
    own = connection.connection
    if own.prepare_threshold is None:  # As Django leaves it, which is that nothing is.
        own.prepare_threshold = _NEVER
    try:
        with connection.wrap_database_errors:
            return Cursor(own).execute(statement, given, prepare=True, binary=True).fetchall()
    except NotSupportedError:
        own.close()  # A column is of another type since it was prepared: only a new connection can know.
        raise
