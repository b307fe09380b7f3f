"""Words on the operators' pages, without their secrets."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.utils.html import format_html
from django.utils.safestring import SafeString

from continuity import secrets
from continuity.models import Conversation
from continuity.secrets import message_masking

EXCERPT = 120


def mask(row: Model, excluded: set[str]) -> None:
    for field in row._meta.concrete_fields:
        if field.name in excluded:
            continue
        value: Any = getattr(row, field.name)
        if isinstance(value, Conversation):
            value.title = secrets.mask_text(value.title)
        elif isinstance(value, str | dict | list):
            whole: list[Any] = [value]
            setattr(row, field.name, message_masking.masked(whole, message_masking.spans_of(whole))[0])


def excerpt(text: str, length: int = EXCERPT) -> str:
    """The beginning of a text, without its secrets."""
    plain = secrets.mask_text(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def block(text: str) -> SafeString:
    """A long text as it stands, without its secrets."""
    return format_html('<pre class="whitespace-pre-wrap break-words">{}</pre>', secrets.mask_text(text))


def masked_column(name: str) -> Callable[[Any], str]:
    """A column of a list with a field that a tool or a caller filled, without its secrets."""

    @admin.display(description=name.replace("_", " "), ordering=name)
    def column(row: Any) -> str:
        return excerpt(getattr(row, name))

    return column
