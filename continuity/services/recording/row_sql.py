"""Statements put together by a model's fields, with JSON written by pydantic: Django's own take several times as long."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields as fields_of
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models
from pydantic_core import to_json

Row = TypeVar("Row", bound=models.Model)


def columns(model: type[models.Model], *names: str, of: str) -> str:
    """The columns of a model, or those of the fields named, for a statement that calls its table `of`."""
    return ", ".join(f'{of}."{field.column}"' for field in _fields(model, names))


def read(model: type[Row], values: Sequence[Any], *names: str) -> Row:
    """The row that such a statement gave, with its documents read; what was not asked for is read when it is needed."""
    known, documents = _reading(model, names)
    given = [json.loads(value) if place in documents and value is not None else value for place, value in enumerate(values)]
    return model.from_db(connection.alias, known, given)


@cache
def _reading(model: type[models.Model], names: tuple[str, ...]) -> tuple[list[str], frozenset[int]]:
    fields = _fields(model, names)
    documents = frozenset(place for place, field in enumerate(fields) if isinstance(field, models.JSONField))
    return [field.attname for field in fields], documents


def _fields(model: type[models.Model], names: tuple[str, ...]) -> list[models.Field[Any, Any]]:
    """The fields in the model's own order, as instances are made."""
    return [field for field in model._meta.concrete_fields if not names or field.attname in names]


def update(row: models.Model, *, only: Mapping[str, Any] | None = None, **changes: Any) -> bool:
    """Stores columns of a row in one statement, if it still is as `only` says, and brings the instance up to date. Whether it was so."""
    meta, conditions = row._meta, {"id": row.pk, **(only or {})}
    table, sets, where = meta.db_table, _pairs(meta, changes, ", "), _pairs(meta, conditions, " AND ")
    values = [_stored(meta.get_field(name), value) for name, value in changes.items()]  # type: ignore[arg-type]
    with connection.cursor() as cursor:
        cursor.execute(f'UPDATE "{table}" SET {sets} WHERE {where}', [*values, *conditions.values()])  # noqa: S608  our own names
        if not cursor.rowcount:
            return False
    for name, value in changes.items():
        setattr(row, name, value)
    return True


def _pairs(meta: Any, given: Mapping[str, Any], between: str) -> str:
    return between.join(f'"{meta.get_field(name).column}" = %s' for name in given)


def insert(row: models.Model) -> None:
    """Stores a new row in one statement, as `save(force_insert=True)` does, where no signal and no model's own `save` takes part."""
    statement, fields = _insertion(type(row))
    values = [_stored(field, field.pre_save(row, add=True)) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    row._state.adding, row._state.db = False, connection.alias


@cache
def _insertion(model: type[models.Model]) -> tuple[str, list[models.Field[Any, Any]]]:
    fields = list(model._meta.concrete_fields)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    places = ", ".join("%s" for _ in fields)
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places})', fields  # noqa: S608  our own names


def insert_records(model: type[models.Model], records: Sequence[Any], *, stamped: str, **same: Any) -> None:
    """Stores dataclasses whose fields are named as the model's, in one statement; `same` is what all of them have, and the column
    `stamped` gets the transaction's time."""
    statement = _record_insertion(model, tuple(field.name for field in fields_of(records[0])), stamped, tuple(same))
    with connection.cursor() as cursor:
        cursor.execute(statement, [*same.values(), to_json(list(records)).decode()])


@cache
def _record_insertion(model: type[models.Model], names: tuple[str, ...], stamped: str, same: tuple[str, ...]) -> str:
    sent = _fields(model, names)
    columns, typed = ", ".join(f'"{field.column}"' for field in sent), _typed(sent)
    shared = ", ".join(f'"{_column(model, name)}"' for name in same)
    return (
        f'INSERT INTO "{model._meta.db_table}" ("{_column(model, stamped)}", {shared}, {columns}) '  # noqa: S608  our own names
        f"SELECT now(), {', '.join('%s' for _ in same)}, {columns} FROM jsonb_to_recordset(%s::jsonb) AS given ({typed})"
    )


def upsert(rows: Sequence[models.Model], *, unique: tuple[str, ...], update: tuple[str, ...]) -> None:
    """Stores rows of one model in one statement with one parameter; of a row that has the same `unique` columns as a stored one, the
    columns `update` take the place of the stored ones."""
    if not rows:
        return
    statement, fields = _upsertion(type(rows[0]), unique, update)
    sent = [{field.column: field.pre_save(row, add=True) for field in fields} for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(statement, [to_json(sent).decode()])


@cache
def _upsertion(model: type[models.Model], unique: tuple[str, ...], update: tuple[str, ...]) -> tuple[str, list[models.Field[Any, Any]]]:
    fields = list(model._meta.concrete_fields)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    typed = _typed(fields)
    same = ", ".join(f'"{_column(model, name)}"' for name in unique)
    anew = ", ".join(f'"{_column(model, name)}" = EXCLUDED."{_column(model, name)}"' for name in update)
    return (
        f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {columns} FROM jsonb_to_recordset(%s::jsonb) AS given ({typed}) '  # noqa: S608  our own names
        f"ON CONFLICT ({same}) DO UPDATE SET {anew}"
    ), fields


def _typed(fields: Sequence[models.Field[Any, Any]]) -> str:
    return ", ".join(f'"{field.column}" {field.db_type(connection)}' for field in fields)


def _column(model: type[models.Model], name: str) -> str:
    column = model._meta.get_field(name).column  # type: ignore[union-attr]
    return str(column)


def _stored(field: models.Field[Any, Any], value: Any) -> Any:
    # A package has 150 KB, which the standard library takes four times as long to write.
    return to_json(value).decode() if isinstance(field, models.JSONField) and value is not None else value
