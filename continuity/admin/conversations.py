"""Conversations and their messages."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.confirmation import asked_first
from continuity.admin.links import OfConversation
from continuity.admin.masked import block, excerpt, masked_column
from continuity.displayed_messages import show
from continuity.models import Conversation, Message
from continuity.secrets import mask_text
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, expiry

CHOICES = 100


class Tools(admin.SimpleListFilter):
    """Filters by the tool that wrote the session; what would show a secret can't be chosen."""

    title = "source tool"
    parameter_name = "source_tool"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        names = Conversation.objects.order_by().values_list("source_tool", flat=True).distinct()[:CHOICES]
        return sorted((name, name) for name in names if name and mask_text(name) == name)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> QuerySet[Conversation]:
        return queryset.filter(source_tool=self.value()) if self.value() else queryset


@admin.register(Conversation)
class ConversationAdmin(HistoryAdmin):
    list_display = (
        "name",
        "team",
        "status",
        masked_column("source_tool"),
        masked_column("model"),
        "in_use",
        "message_count",
        "behind",
        "active_at",
    )
    list_filter = ("status", Tools, "team")
    list_select_related = ("team",)
    search_fields = ("title", "external_id")
    search_help_text = "A title, a tool's session id, or a whole id"
    ordering = ("-active_at",)
    exclude = documents = ("metadata", "window_evidence", "given")
    actions = ("distil_again", "invalidate", "expire_lapsed")

    @admin.display(description="title", ordering="title")
    def name(self, conversation: Conversation) -> str:
        return excerpt(str(conversation))

    @admin.display(description="in use")
    def in_use(self, conversation: Conversation) -> str:
        return "window unknown" if conversation.utilization is None else f"{conversation.utilization:.0%}"

    @admin.display(description="not read yet")
    def behind(self, conversation: Conversation) -> int:
        return conversation.last_seq - conversation.folded_seq

    @admin.action(description="Read the selected conversations again", permissions=["operate"])
    def distil_again(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> None:
        rows = list(chosen)
        for conversation in rows:
            fold_runner.ask_again(conversation=conversation)
        self.message_user(request, f"{len(rows)} will be read again.", messages.SUCCESS)

    @admin.action(description="Invalidate the selected conversations", permissions=["operate"])
    @asked_first("These conversations end at once: whatever is sent to them is refused.")
    def invalidate(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> None:
        rows = list(chosen.select_related("team"))
        for conversation in rows:
            conversations.invalidate(team=conversation.team, conversation_id=conversation.id)
        self.message_user(request, f"{len(rows)} invalidated.", messages.SUCCESS)

    @admin.action(description="Expire all whose time is over, now (whatever is selected)", permissions=["operate"])
    @asked_first("Every conversation whose time is over is marked as expired; nothing can be added to it.", of_all=True)
    def expire_lapsed(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> None:
        self.message_user(request, f"{expiry.expire_lapsed(now=timezone.now())} expired.", messages.SUCCESS)


@admin.register(Message)
class MessageAdmin(OfConversation, LongHistoryAdmin):
    list_display = ("seq", "its_conversation", "role", masked_column("agent"), "tokens", "at", "abandoned")
    list_filter = ("role", "abandoned")
    list_select_related = ("conversation",)
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a message or of a conversation"
    ordering = ("conversation", "seq")
    exclude = documents = ("parts", "secrets")
    readonly_fields = ("its_conversation", "said")

    @admin.display(description="parts, secrets masked")
    def said(self, message: Message) -> SafeString:
        return block("\n\n".join(f"{part.title}\n{part.text}".strip() for part in show(message).parts))
