"""Reads and inserts that are written out once: composing a query anew takes several times what running it does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import connection, models
from pydantic_core import to_json

M = TypeVar("M", bound=models.Model)


class Written(Generic[M]):
    """Whole rows of a model by a condition in SQL with its parameters, e.g. `team_id = %s ORDER BY created_at`.

    `without` are columns that are left to be read when somebody asks for them. `beside` are relations to one other row that are read
    with it, as `select_related` does; the condition then names columns with their table's name, or with that of the relation, and
    `without` may name some of theirs (`owner__email`). The rows are model instances.
    """

    def __init__(self, model: type[M], where: str, *, without: tuple[str, ...] = (), beside: tuple[str, ...] = ()) -> None:
        table = model._meta.db_table
        self._own = _Part(model, without)
        self._beside = [(_relation(model, name), _Part(_relation(model, name).related_model, _of(name, without))) for name in beside]
        columns = [f'"{table}"."{column}"' for column in self._own.columns]
        joined = ""
        for name, (relation, part) in zip(beside, self._beside, strict=True):
            columns += [f'"{name}"."{column}"' for column in part.columns]
            # Either points at the other's key.
            theirs, ours = (relation.field.column, self._own.key) if relation.auto_created else (part.key, relation.column)
            joined += f' LEFT JOIN "{part.table}" AS "{name}" ON "{name}"."{theirs}" = "{table}"."{ours}"'
        self._statement = f'SELECT {", ".join(columns)} FROM "{table}"{joined} WHERE {where}'  # noqa: S608  our own names

    def rows(self, *parameters: Any) -> list[M]:
        """All rows that there are."""
        with connection.cursor() as cursor:
            cursor.execute(self._statement, parameters)
            return [self._made(row) for row in cursor.fetchall()]

    def first(self, *parameters: Any) -> M | None:
        with connection.cursor() as cursor:
            cursor.execute(self._statement, parameters)
            row = cursor.fetchone()
        return self._made(row) if row else None

    def _made(self, row: tuple[Any, ...]) -> M:
        if not self._beside:
            return self._own.made(row)
        end = len(self._own.columns)
        made = self._own.made(row[:end])
        for relation, part in self._beside:
            start, end = end, end + len(part.columns)
            other = part.made(row[start:end]) if row[start + part.place] is not None else None
            relation.set_cached_value(made, other)
            if other is not None and relation.auto_created:
                relation.field.set_cached_value(other, made)
        return made


class _Part(Generic[M]):
    """The columns of one model in what a statement gives, and the place of its key among them."""

    def __init__(self, model: type[M], without: tuple[str, ...] = ()) -> None:
        fields = [field for field in model._meta.concrete_fields if field.attname not in without]
        self.table = model._meta.db_table
        self.columns = [str(field.column) for field in fields]
        self.place, self.key = next((place, str(field.column)) for place, field in enumerate(fields) if field.primary_key)
        self._model = model
        self._names = [field.attname for field in fields]
        self._json = [place for place, field in enumerate(fields) if isinstance(field, models.JSONField)]

    def made(self, row: tuple[Any, ...]) -> M:
        if self._json:
            values: list[Any] = list(row)
            for place in self._json:
                if values[place] is not None:
                    values[place] = json.loads(values[place])
            row = tuple(values)
        return self._model.from_db(connection.alias, self._names, row)


def _of(relation: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of a relation's columns, as they are called there."""
    return tuple(name.removeprefix(f"{relation}__") for name in names if name.startswith(f"{relation}__"))


def _relation(model: type[models.Model], name: str) -> Any:
    """The foreign key of this name, or the one of another model that points here and is unique."""
    return model._meta.get_field(name)


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
    typed = ", ".join(f'"{field.column}" {field.db_type(connection)}' for field in fields)
    same = ", ".join(f'"{_column(model, name)}"' for name in unique)
    anew = ", ".join(f'"{_column(model, name)}" = EXCLUDED."{_column(model, name)}"' for name in update)
    return (
        f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {columns} FROM jsonb_to_recordset(%s::jsonb) AS given ({typed}) '  # noqa: S608  our own names
        f"ON CONFLICT ({same}) DO UPDATE SET {anew}"
    ), fields


def _column(model: type[models.Model], name: str) -> str:
    column = model._meta.get_field(name).column  # type: ignore[union-attr]
    return str(column)


def _stored(field: models.Field[Any, Any], value: Any) -> Any:
    # A package has 150 KB, which the standard library takes four times as long to write.
    return to_json(value).decode() if isinstance(field, models.JSONField) and value is not None else value
