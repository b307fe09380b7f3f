"""Handoff notes and their statements."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin
from continuity.admin.links import OfConversation
from continuity.admin.masked import masked_column
from handoffs.models import NoteStatement, StoredNote


@admin.register(StoredNote)
class StoredNoteAdmin(OfConversation, HistoryAdmin):
    list_display = ("number", "its_conversation", "kind", "team", "through_seq", "made_by", "made_with", "created_at")
    list_filter = ("kind", "team")
    list_select_related = ("conversation", "team", "made_by", "made_with")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a note or of its conversation"
    ordering = ("-created_at",)


@admin.register(NoteStatement)
class NoteStatementAdmin(HistoryAdmin):
    """As they stand; people change them on the pages."""

    list_display = ("id", "note_id", "part", masked_column("text"), "verdict", "person", "dismissed", "changed_by", "team", "created_at")
    list_filter = ("verdict", "part", "dismissed", "team")
    list_select_related = ("team", "changed_by")
    id_fields = ("id", "note_id")
    search_help_text = "The whole id of a statement or of its note"
    ordering = ("-created_at",)
