"""The pages of a list on the site, by a cursor in the address (`continuity.core.keyset`)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from continuity.core import keyset
from continuity.core.errors import Invalid
from continuity.core.keyset import Slice, moment

LONGEST = 2000


def in_order(
    rows: models.QuerySet[Any, Any], order: keyset.Order, *, after: str, size: int, ascending: bool = False, sorted_alone: bool = False
) -> Slice:
    """One page of `rows` in the `order` of these fields, as `keyset.take`. One query. Raises Invalid on a cursor that is none of ours."""
    try:
        return keyset.take(rows, order, after=after[:LONGEST], size=size, ascending=ascending, sorted_alone=sorted_alone)
    except keyset.BadCursor as error:
        raise Invalid("This link to a page of the list is damaged; start again from the first page.", field="after") from error


def newest_first(
    rows: models.QuerySet[Any, Any], *, by: str, after: str, size: int, read: Callable[[Any], datetime | int] = moment
) -> Slice:
    """One page, largest `by` first, ties by id. `by` is a time field, or another with `read` to parse its value back."""
    return in_order(rows, {by: read, "id": UUID}, after=after, size=size)
