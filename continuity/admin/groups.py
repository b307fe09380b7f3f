"""Groups: who takes part, who was chosen and why, how workflows went on."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.models import Group, GroupParticipant, GroupSelection, GroupTransition


@admin.register(Group)
class WorkingGroupAdmin(HistoryAdmin):
    list_display = ("id", "team", "status", "reason", "strategy", "step", "turns", "selections", "created_at")
    list_filter = ("status", "strategy", "team")
    list_select_related = ("team",)
    search_fields = ("id", "conversation__id")
    search_help_text = "The whole id of a group or a conversation"
    ordering = ("-created_at",)
    exclude = ("workflow", "rules", "limits", "advice")
    documents = ("workflow", "rules", "limits", "advice")


@admin.register(GroupParticipant)
class GroupParticipantAdmin(LongHistoryAdmin):
    list_display = ("agent", "group", "place", "excluded", "joined_seq", "turns", "created_at")
    list_select_related = ("agent", "group")
    search_help_text = "The whole id of a group or an agent"
    id_fields = ("group_id", "agent_id")
    exclude = ("role",)
    ordering = ("-created_at",)


@admin.register(GroupSelection)
class GroupSelectionAdmin(LongHistoryAdmin):
    list_display = ("group", "number", "outcome", "name", "strategy", "fallback", "status", "took_ms", "thumb", "created_at")
    list_filter = ("outcome", "status", "strategy")
    list_select_related = ("group",)
    search_help_text = "The whole id of a group or an agent"
    id_fields = ("group_id", "agent_id")
    ordering = ("-created_at",)


@admin.register(GroupTransition)
class GroupTransitionAdmin(LongHistoryAdmin):
    list_display = ("group", "version", "before", "after", "by", "created_at")
    list_select_related = ("group",)
    search_help_text = "The whole id of a group"
    id_fields = ("group_id",)
    ordering = ("-created_at",)
