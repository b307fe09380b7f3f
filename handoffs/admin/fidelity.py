"""Checks of packages, the questions that they ask, and their overrides."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.links import OfConversation
from continuity.admin.masked import masked_column
from handoffs.models import FidelityCheck, HandoffOverride, ProbeBank, ProbeCheckpoint


@admin.register(HandoffOverride)
class HandoffOverrideAdmin(HistoryAdmin):
    list_display = ("id", "handoff_id", "team", "made_as", "score", "created_at", "ended_at")
    list_filter = ("team",)
    list_select_related = ("team",)
    id_fields = ("id", "handoff_id")
    search_help_text = "The whole id of an override or of its handoff"
    ordering = ("-created_at",)


@admin.register(FidelityCheck)
class FidelityCheckAdmin(LongHistoryAdmin):
    list_display = (
        "id",
        "team",
        "cause",
        masked_column("model"),
        "passed",
        "overall",
        "probes_asked",
        "probes_answered",
        "issues",
        "created_at",
    )
    list_filter = ("passed", "cause", "team")
    list_select_related = ("team",)
    id_fields = ("id", "handoff_id")
    search_help_text = "The whole id of a check or of its handoff"
    ordering = ("-created_at",)


@admin.register(ProbeBank)
class ProbeBankAdmin(OfConversation, HistoryAdmin):
    list_display = ("id", "its_conversation", "team", "through_seq", "rules_version", "updated_at")
    list_filter = ("team",)
    list_select_related = ("conversation", "team")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a bank or of its conversation"
    ordering = ("-updated_at",)
    exclude = documents = ("state",)


@admin.register(ProbeCheckpoint)
class ProbeCheckpointAdmin(OfConversation, HistoryAdmin):
    list_display = ("id", "its_conversation", "team", "seq", "rules_version", "created_at")
    list_filter = ("team",)
    list_select_related = ("conversation", "team")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a copy of a bank or of its conversation"
    ordering = ("-created_at",)
    exclude = documents = ("state",)
