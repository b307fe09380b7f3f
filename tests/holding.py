"""A row that another connection holds, as a hanging transaction does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection


@contextmanager
def held(table: str, row_id: object, *, column: str = "id") -> Iterator[None]:
    """Locks the rows of a table with that id for the block. Only for tests whose rows are committed."""
    params = {name: value for name, value in connection.get_connection_params().items() if name not in ("cursor_factory", "context")}
    with psycopg.connect(**params) as other:
        other.execute(f"SELECT FROM {table} WHERE {column} = %s FOR UPDATE", [row_id])
        yield
        other.rollback()
