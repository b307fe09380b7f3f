"""Agents' states as the storage adapter `postgres` keeps them."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin
from continuity.models import StoredState


@admin.register(StoredState)
class StoredStateAdmin(HistoryAdmin):
    """Shows that there is a state and who wrote it, never its content."""

    list_display = ("key", "kind", "team", "state", "epoch", "encoding", "saved_at")
    list_filter = ("kind", "encoding", "team")
    list_select_related = ("team",)
    search_fields = ("key",)
    search_help_text = "The name of an agent"
    id_fields = ("conversation_id",)
    ordering = ("-saved_at",)
    exclude = ("body",)
