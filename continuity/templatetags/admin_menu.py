"""The menu of the admin's pages: eighty entries on each of them, which by a template take a sixth of the page's time."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django import template
from django.db.models import Model
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

register = template.Library()

ENTRY = "flex items-center h-[38px] -mx-3 px-3 rounded-default truncate hover:text-primary-600 dark:hover:text-primary-500"
MARKED = "bg-base-100 font-semibold text-primary-600 dark:bg-white/[.06] dark:text-primary-500 active"
OTHER = format_html(' class="{}"', ENTRY)
CURRENT = format_html(' class="{} {}" aria-current="page"', ENTRY, MARKED)


@register.simple_tag
def menu_entries(models: Sequence[Mapping[str, Any]], path: str) -> SafeString:
    """A link to the list of each model; the one whose page is at `path` is the current one."""
    shown = [(str(model["admin_url"]), _name(model["model"])) for model in models if model.get("admin_url")]
    entries = ((address, CURRENT if address in path else OTHER, name) for address, name in shown)
    return format_html_join("", '<li><a href="{}"{}>{}</a></li>', entries)


@cache
def _name(model: type[Model]) -> str:
    return capfirst(str(model._meta.verbose_name_plural))
