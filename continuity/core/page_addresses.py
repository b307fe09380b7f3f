"""The addresses of pages that take nothing or show one row. Lists have hundreds, and to find one Django goes through all patterns of its
name."""

from __future__ import annotations

from functools import cache
from uuid import UUID

from django.urls import get_script_prefix, reverse

_ANY = UUID(int=0)


def address_of(page: str, id_: UUID) -> str:
    """The address of a page that takes one id, as `reverse` would have it. Raises NoReverseMatch."""
    before, after = _around(page, get_script_prefix())
    return f"{before}{id_}{after}"


def address_alone(page: str) -> str:
    """The address of a page that takes nothing, as `reverse` would have it. Raises NoReverseMatch."""
    return _alone(page, get_script_prefix())


@cache
def _alone(page: str, _prefix: str) -> str:
    return reverse(page)


@cache
def _around(page: str, _prefix: str) -> tuple[str, str]:
    before, after = reverse(page, args=[_ANY]).split(str(_ANY))
    return before, after
