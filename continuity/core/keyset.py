"""Pages of a query by keyset: the next one starts after the last row seen, so that no page costs more or shifts as rows come and go."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from continuity.transcripts.base.sanitise import clean_text

# The fields that a list is sorted by, together unique, each with what reads its value back from JSON.
Order = Mapping[str, Callable[[Any], Any]]


class BadCursor(ValueError):
    """The text is no cursor that this list gave."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The rows of one page, and the cursor of the page after them ("" where there is none)."""

    rows: Sequence[Any]
    next: str


def take(rows: QuerySet[Any, Any], order: Order, *, after: str, size: int, ascending: bool = False, sorted_alone: bool = False) -> Slice:
    """One page of at most `size` rows, descending unless `ascending`. One query. Raises BadCursor.

    `sorted_alone`: of all rows only what they are sorted by is read, and the rest of the page's; for an order that no index has.
    """
    names = list(order)
    rows = rows.order_by(*(name if ascending else f"-{name}" for name in names))
    if after:
        rows = rows.filter(_beyond(names, _read(after, order), "gt" if ascending else "lt"))
    if sorted_alone:
        rows = rows.filter(pk__in=rows.values("pk")[: size + 1])
    found = list(rows[: size + 1])
    if len(found) <= size:
        return Slice(found, "")
    last = found[size - 1]
    return Slice(found[:size], _write([last[name] if isinstance(last, dict) else getattr(last, name) for name in names]))


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
        raise BadCursor(cursor[:100]) from error
