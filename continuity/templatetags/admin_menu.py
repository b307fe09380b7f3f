"""The menu of the admin's pages: eighty entries on each of them, which by a template take a sixth of the page's time."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django import template
from django.db.models import Model
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

register = template.Library()

ENTRY = "flex items-center h-[38px] -mx-3 px-3 rounded-default truncate hover:text-primary-600 dark:hover:text-primary-500"
CURRENT = "bg-base-100 font-semibold text-primary-600 dark:bg-white/[.06] dark:text-primary-500 active"


@register.simple_tag
def menu_entries(models: Sequence[Mapping[str, Any]], path: str) -> SafeString:
    """A link to the list of each model; the one whose page is at `path` is the current one."""
    shown = [(str(model["admin_url"]), _name(model["model"])) for model in models if model.get("admin_url")]
    return mark_safe("".join(_entry(address, name, is_current=address in path) for address, name in shown))  # noqa: S308  all is escaped


def _entry(address: str, name: str, *, is_current: bool) -> str:
    marked = f'{ENTRY} {CURRENT}" aria-current="page' if is_current else ENTRY
    return f'<li><a href="{escape(address)}" class="{marked}">{name}</a></li>'


@cache
def _name(model: type[Model]) -> str:
    return escape(capfirst(model._meta.verbose_name_plural))
