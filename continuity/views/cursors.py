"""Pages by cursor: the next one starts after the last row of this one, however many rows came or went meanwhile."""

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar
from uuid import UUID

from django.db import models

from continuity.errors import Invalid

M = TypeVar("M", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Rows, and the cursor of the page after them ("" where there is none)."""

    rows: Sequence[M]
    next: str


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment


def newest_first(rows: models.QuerySet[M], *, by: str, after: str, size: int, read: Callable[[str], datetime | int] = _moment) -> Page[M]:
    """One page of `rows`, largest `by` first, ties by id. One query. Raises Invalid on a cursor that is none of ours.

    `by` is a time field, or another with `read` to parse its value back.
    """
    if after:
        value, identifier = _parse(after, read)
        earlier = models.Q(**{f"{by}__lt": value}) | models.Q(id__lt=identifier)
        rows = rows.filter(earlier, **{f"{by}__lte": value})
    found = list(rows.order_by(f"-{by}", "-id")[: size + 1])
    last = found[size - 1] if len(found) > size else None
    return Page(found[:size], _write(getattr(last, by), last.pk) if last else "")


def _write(value: datetime | int, identifier: UUID) -> str:
    plain = value.isoformat() if isinstance(value, datetime) else str(value)
    return base64.urlsafe_b64encode(f"{plain}|{identifier}".encode()).decode().rstrip("=")


def _parse(cursor: str, read: Callable[[str], datetime | int]) -> tuple[datetime | int, UUID]:
    try:
        plain = base64.urlsafe_b64decode(cursor[:200] + "=" * (-len(cursor) % 4)).decode()
        value, _, identifier = plain.partition("|")
        return read(value), UUID(identifier)
    except (ValueError, binascii.Error) as error:
        raise Invalid("This link to a page of the list is damaged; start again from the first page.", field="after") from error
