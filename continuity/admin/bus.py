"""The bus: who subscribes to what, what was handed over and acknowledged, what teams say of their topics."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.links import OfConversation
from continuity.admin.masked import masked_column
from continuity.models import Acknowledgement, Delivery, PublishedPayload, Subscription, Topic


@admin.register(Subscription)
class SubscriptionAdmin(HistoryAdmin):
    list_display = ("name", "team", "pattern", "policy", "kind", "paused", "position", "failures", "gaps", "seen_at", "acknowledged_at")
    list_filter = ("kind", "policy", "paused", "team")
    list_select_related = ("team",)
    search_fields = ("name", "agent")
    search_help_text = "A name or an agent"
    ordering = ("team", "name")


@admin.register(Delivery)
class DeliveryAdmin(LongHistoryAdmin):
    """Deliveries that are not acknowledged."""

    list_display = ("subscription", "position", "attempts", "replay", masked_column("reason"), "due_at", "created_at")
    list_filter = ("replay",)
    list_select_related = ("subscription",)
    search_help_text = "The whole id of an event or a subscription"
    id_fields = ("event_id", "subscription_id")
    ordering = ("due_at",)


@admin.register(Acknowledgement)
class AcknowledgementAdmin(LongHistoryAdmin):
    list_display = ("subscription", "position", "attempts", "acknowledged_at")
    list_select_related = ("subscription",)
    search_help_text = "The whole id of an event or a subscription"
    id_fields = ("event_id", "subscription_id")
    ordering = ("-id",)


@admin.register(PublishedPayload)
class PublishedPayloadAdmin(OfConversation, LongHistoryAdmin):
    """Shows that there is a payload, never its content."""

    list_display = ("event", "team", "its_conversation")
    list_filter = ("team",)
    list_select_related = ("event", "team", "conversation")
    search_help_text = "The whole id of an event or a conversation"
    id_fields = ("event_id", "conversation_id")
    ordering = ("-event",)
    exclude = ("body",)
    documents = ("body",)


@admin.register(Topic)
class TopicAdmin(HistoryAdmin):
    list_display = ("name", "team", "critical", "updated_at")
    list_filter = ("critical", "team")
    list_select_related = ("team",)
    search_fields = ("name",)
    search_help_text = "A topic"
    id_fields = ()
    ordering = ("team", "name")
