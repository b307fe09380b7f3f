"""Links between the operators' pages."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from continuity.admin.masked import excerpt
from continuity.core.page_addresses import address_of


def link_to(row: Model | None, text: str) -> SafeString | str:
    """A link to the admin page of a row."""
    if row is None:
        return "–"
    return format_html('<a href="{}">{}</a>', page_of(row), text)


def page_of(row: Model) -> str:
    page = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return address_of(page, row.pk) if isinstance(row.pk, UUID) else reverse(page, args=[quote(row.pk)])


class OfConversation:
    """A column that leads to the conversation of a row."""

    @admin.display(description="conversation", ordering="conversation")
    def its_conversation(self, row: Any) -> SafeString | str:
        return link_to(row.conversation, excerpt(str(row.conversation), 60)) if row.conversation_id else "–"
