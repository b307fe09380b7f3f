"""Rows of a model, read by a statement that is written out. To compose the query of one row takes Django ten times as much Python as to
run it and to build the row; what every page asks for comes this way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models

M = TypeVar("M", bound=models.Model)


class Columns(Generic[M]):
    """The columns of a model, or `only` those of some fields, the row's id with them: as part of a statement that calls the table `name`,
    and as a row built from what the statement found. Fields beside `only` are read by themselves where somebody asks for them."""

    def __init__(self, model: type[M], *only: str, name: str = "") -> None:
        self._model, self._only, self._name = model, only, name

    @cached_property
    def _fields(self) -> list[models.Field[Any, Any]]:
        fields = self._model._meta.concrete_fields
        return [field for field in fields if not self._only or field.primary_key or field.name in self._only]

    @cached_property
    def sql(self) -> str:
        table = self._name or f'"{self._model._meta.db_table}"'
        return ", ".join(f'{table}."{field.column}"' for field in self._fields)

    @cached_property
    def _names(self) -> list[str]:
        return [field.attname for field in self._fields]

    @cached_property
    def _readers(self) -> list[tuple[int, Callable[..., Any]]]:
        """What makes values of some columns of what the database gives, such as JSON of text."""
        return [(place, field.from_db_value) for place, field in enumerate(self._fields) if hasattr(field, "from_db_value")]

    @cached_property
    def width(self) -> int:
        """How many columns they are."""
        return len(self._names)

    def row(self, values: Sequence[Any]) -> M:
        """The row of its columns' values."""
        own = list(values)
        for place, read in self._readers:
            own[place] = read(own[place], None, connection)
        return self._model.from_db(connection.alias, self._names, own)


class JoinedColumns(Generic[M]):
    """The columns of a row with those of the rows that its foreign keys name, where there are any: what `select_related` is for a query."""

    def __init__(self, of: Columns[M], **related: Columns[Any]) -> None:
        self._of, self._related = of, related

    @cached_property
    def sql(self) -> str:
        return ", ".join(columns.sql for columns in (self._of, *self._related.values()))

    def row(self, values: Sequence[Any]) -> M:
        """The row of all their columns' values, with its related rows."""
        place = self._of.width
        found = self._of.row(values[:place])
        for name, columns in self._related.items():
            own, place = values[place : place + columns.width], place + columns.width
            # The id stands first: a row that is not there has none.
            setattr(found, name, columns.row(own) if own[0] is not None else None)
        return found


def rows(model: type[M], where: str, given: Sequence[Any] | Mapping[str, Any]) -> list[M]:
    """Whole rows of a model; `where` is what follows the table in the statement. One query."""
    columns = _WHOLE.setdefault(model, Columns(model))
    return [columns.row(values) for values in found(f'SELECT {columns.sql} FROM "{model._meta.db_table}" {where}', given)]  # noqa: S608  our own names


_WHOLE: dict[type[models.Model], Columns[Any]] = {}


def found(statement: str, given: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What a statement finds. One query."""
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        return list(cursor.fetchall())
