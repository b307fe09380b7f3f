"""Filling tables with many rows at once: what is checked or sorted row by row is checked and sorted once, at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, models

# For building indexes, and no wait for the disk at the end: a seed that a crash loses is made again.
ROOM = "SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL synchronous_commit = off"
REFERENCES = """
    SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
    FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY(%s::regclass[]) ORDER BY conrelid, conname
"""
WORDS = """
    SELECT quote_ident(c.relname), pg_get_indexdef(c.oid)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
    WHERE a.amname = 'gin' AND i.indrelid = ANY(%s::regclass[]) ORDER BY c.relname
"""


@contextmanager
def filling(filled: Sequence[type[models.Model]]) -> Iterator[None]:
    """Takes the foreign keys and the indexes of words from these models' tables, and puts them back when the block is over.

    A foreign key looks its row up for each row inserted; put back, it is checked for all with one join. An index of words is built
    several times as fast from all rows. Runs in the caller's transaction, which holds the tables until it ends: others wait, and
    an error leaves everything as it was. Raises IntegrityError where a row refers to nothing.
    """
    tables = [model._meta.db_table for model in filled]
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # What waits to be checked keeps a table from being changed.
        cursor.execute(ROOM)
        references = _read(REFERENCES, tables)
        words = _read(WORDS, tables)
        for table, name, _definition in references:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for name, _definition in words:
            cursor.execute(f"DROP INDEX {name}")
        yield
        for _name, definition in words:
            cursor.execute(definition)
        for table, name, definition in references:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")


def _read(statement: str, tables: Sequence[str]) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(tables)])
        return list(cursor.fetchall())


Values = Mapping[str, str]  # column to the SQL expression that gives its value, over `t` (the row copied) and `m` (the map)


def insert_copies(model: type[models.Model], values: Values, joined: str, parameters: Sequence[UUID]) -> None:
    """The rows of `model` that the map `joined` finds, with `values` replaced and a new id."""
    quote = connection.ops.quote_name
    columns = [str(field.column) for field in model._meta.concrete_fields]
    columns += [column for column in values if column not in columns]
    given = {str(model._meta.pk.column): "gen_random_uuid()", **values} if model._meta.pk else values
    chosen = ", ".join(given.get(column, f"t.{quote(column)}") for column in columns)
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(map(quote, columns))}) SELECT {chosen} FROM {table} t JOIN {joined}",  # noqa: S608
            parameters,
        )
