"""State that agents share: that there is some, who changed it, and what met."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.models import StateEntry, StateVersion


@admin.register(StateEntry)
class StateEntryAdmin(HistoryAdmin):
    """Never what it says: the page Shared state shows that to the team."""

    list_display = ("key", "scope", "team", "version", "strategy", "unresolved", "removed", "size", "history_size", "updated_at")
    list_filter = ("scope", "strategy", "unresolved", "removed", "team")
    list_select_related = ("team",)
    search_fields = ("key",)
    search_help_text = "A key, or the whole id of an owner"
    id_fields = ("owner_id",)
    ordering = ("-updated_at",)
    exclude = ("stored",)
    documents = ("stored", "merges")


@admin.register(StateVersion)
class StateVersionAdmin(LongHistoryAdmin):
    list_display = ("entry", "number", "author", "conflict", "base", "restored", "size", "created_at")
    list_filter = ("conflict",)
    list_select_related = ("entry",)
    search_help_text = "The whole id of a state"
    id_fields = ("entry_id",)
    ordering = ("-created_at",)
    exclude = ("snapshot", "difference")
    documents = ("snapshot", "difference", "places")
