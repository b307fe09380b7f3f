"""Agents: who is registered, which instances ran, what was done about failures, what was ordered."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.masked import masked_column
from continuity.models import Agent, AgentInstance, AgentOrder, Incident, RecoveryAttempt


@admin.register(Agent)
class AgentAdmin(HistoryAdmin):
    list_display = ("name", "team", "status", "reason", "epoch", "runner", "strategy", "failures", "status_at", "recovered_at")
    list_filter = ("status", "strategy", "team")
    list_select_related = ("team",)
    search_fields = ("name", "runner")
    search_help_text = "A name or a runner"
    ordering = ("team", "name")
    exclude = ("config", "role")
    documents = ("config",)


@admin.register(AgentInstance)
class AgentInstanceAdmin(LongHistoryAdmin):
    list_display = ("agent", "epoch", "runner", "created_at", "ready_at", "ended_at", "reason")
    list_select_related = ("agent",)
    search_help_text = "The whole id of an agent"
    id_fields = ("agent_id",)
    ordering = ("-created_at",)


@admin.register(RecoveryAttempt)
class RecoveryAttemptAdmin(LongHistoryAdmin):
    list_display = ("agent", "cause", "action", "status", "failures", "backup", masked_column("error"), "created_at", "over_at")
    list_filter = ("status", "cause", "action")
    list_select_related = ("agent", "backup")
    search_help_text = "The whole id of an agent or a conversation"
    id_fields = ("agent_id", "conversation_id")
    ordering = ("-created_at",)


@admin.register(AgentOrder)
class AgentOrderAdmin(LongHistoryAdmin):
    list_display = ("agent", "kind", "status", "asked_by", "created_at", "over_at")
    list_filter = ("status", "kind")
    list_select_related = ("agent",)
    search_help_text = "The whole id of an agent"
    id_fields = ("agent_id",)
    ordering = ("-created_at",)


@admin.register(Incident)
class IncidentAdmin(HistoryAdmin):
    list_display = ("team", "correlation_id", "limit", "calm_seconds", "created_at", "ended_at")
    list_filter = ("team",)
    list_select_related = ("team",)
    search_fields = ("correlation_id",)
    search_help_text = "A correlation id"
    ordering = ("-created_at",)
