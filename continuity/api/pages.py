"""Lists in pages, by an opaque cursor that stands for the last row seen, so that new rows never shift a page."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet
from ninja import Field, Schema

from continuity.errors import Invalid
from continuity.transcripts.sanitise import clean_text

T = TypeVar("T")
Order = Mapping[str, Callable[[Any], Any]]

MAX_LIMIT = 200


class PageQuery(Schema):
    """How much of a list, and from where."""

    cursor: str = Field("", max_length=2000, description="`next_cursor` of the page before; empty for the first page.")
    limit: int = Field(50, ge=1, le=MAX_LIMIT, description="Rows in a page.")


class Page(Schema, Generic[T]):
    items: list[T]
    next_cursor: str | None = Field(None, description="Send it as `cursor` for the next page; null on the last one.")


@dataclass(frozen=True, slots=True)
class Cut:
    """The rows of one page and the cursor of the next."""

    items: Sequence[Any]
    next_cursor: str | None


def cut(rows: QuerySet[Any, Any], query: PageQuery, order: Order, *, ascending: bool = False) -> Cut:
    """One page of `rows`, sorted by the fields in `order`, descending unless `ascending`. One query.

    `order` maps each field to what reads its value back from JSON; together they must be unique. Raises Invalid on a
    cursor that this list did not give.
    """
    names = list(order)
    rows = rows.order_by(*(name if ascending else f"-{name}" for name in names))
    if query.cursor:
        rows = rows.filter(_beyond(names, _read(query.cursor, order), "gt" if ascending else "lt"))
    found = list(rows[: query.limit + 1])
    if len(found) <= query.limit:
        return Cut(found, None)
    last = found[query.limit - 1]
    return Cut(found[: query.limit], _write([last[name] if isinstance(last, dict) else getattr(last, name) for name in names]))


def moment(value: Any) -> datetime:
    """Reads a time back from a cursor. Raises ValueError unless it has a zone."""
    found = datetime.fromisoformat(value)
    if found.tzinfo is None:
        raise ValueError("a time without a zone")
    return found


def _beyond(names: Sequence[str], values: Sequence[Any], comparison: str) -> Q:
    """(a, b) < (x, y) spelled out, led by a <= x, by which an index is entered."""
    beyond = Q()
    for depth, name in enumerate(names):
        same = dict(zip(names[:depth], values[:depth], strict=True))
        beyond |= Q(**same, **{f"{name}__{comparison}": values[depth]})
    return Q(**{f"{names[0]}__{comparison}e": values[0]}) & beyond


def _write(values: Sequence[Any]) -> str:
    plain = json.dumps(values, default=str, separators=(",", ":"))
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def _read(cursor: str, order: Order) -> list[Any]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return [read(clean_text(value) if isinstance(value, str) else value) for read, value in zip(order.values(), values, strict=True)]
    except (binascii.Error, ValueError, TypeError, ArithmeticError, RecursionError, AttributeError) as error:
        raise Invalid("cursor must be a next_cursor of this list.", field="cursor") from error
