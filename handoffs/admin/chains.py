"""Chains of handoffs, what was resumed, and what came back."""

from django.contrib import admin
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin
from continuity.admin.links import OfConversation, link_to
from continuity.admin.masked import excerpt
from handoffs.models import HandoffChain, Receipt, Resumption


@admin.register(HandoffChain)
class HandoffChainAdmin(HistoryAdmin):
    list_display = ("root", "team", "total_handoffs", "total_tokens_processed", "started_at", "last_activity_at")
    list_filter = ("team",)
    list_select_related = ("team", "root_conversation")
    id_fields = ("id", "root_conversation_id")
    search_help_text = "The whole id of a chain or of its first conversation"
    ordering = ("-last_activity_at",)

    @admin.display(description="begins with", ordering="root_conversation")
    def root(self, chain: HandoffChain) -> str:
        return excerpt(str(chain.root_conversation), 60)


@admin.register(Resumption)
class ResumptionAdmin(OfConversation, HistoryAdmin):
    list_display = ("id", "its_handoff", "its_conversation", "team", "resumed_by", "fork", "seamless", "created_at")
    list_filter = ("fork", "team")
    list_select_related = ("handoff", "conversation", "team", "resumed_by", "receipt")
    id_fields = ("id", "handoff_id", "conversation_id")
    search_help_text = "The whole id of a resumption, a handoff or a conversation"
    ordering = ("-created_at",)
    exclude = ("report",)

    documents = ("handoff__compacted_summary", "handoff__text")

    @admin.display(description="handoff")
    def its_handoff(self, resumption: Resumption) -> SafeString | str:
        return link_to(resumption.handoff, f"{resumption.handoff.number} of its chain")

    @admin.display(description="seamless", boolean=True)
    def seamless(self, resumption: Resumption) -> bool | None:
        """Unknown until the session that goes on was seen."""
        return bool(resumption.report.get("isSeamless")) if resumption.session_seen else None


@admin.register(Receipt)
class ReceiptAdmin(HistoryAdmin):
    list_display = ("id", "resumption_id", "handoff_id", "team", "loaded_at", "head_commit")
    list_filter = ("team",)
    list_select_related = ("team",)
    id_fields = ("id", "handoff_id", "resumption_id")
    search_help_text = "The whole id of a receipt, a resumption or a handoff"
    ordering = ("-loaded_at",)
