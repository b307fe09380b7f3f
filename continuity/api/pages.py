"""Lists in pages, by an opaque cursor that stands for the last row seen (`continuity.core.keyset`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from ninja import Field, Schema

from continuity.core import keyset
from continuity.core.errors import Invalid
from continuity.core.keyset import Order as Order
from continuity.core.keyset import moment as moment

T = TypeVar("T")

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

    Raises Invalid on a cursor that this list did not give.
    """
    try:
        found = keyset.take(rows, order, after=query.cursor, size=query.limit, ascending=ascending)
    except keyset.BadCursor as error:
        raise Invalid("cursor must be a next_cursor of this list.", field="cursor") from error
    return Cut(found.rows, found.next or None)
