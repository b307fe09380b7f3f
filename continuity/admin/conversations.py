"""Conversations and their messages."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin, OfConversation, block, excerpt
from continuity.models import Conversation, Message
from continuity.readable import show
from continuity.services import conversations, distilling


@admin.register(Conversation)
class ConversationAdmin(HistoryAdmin):
    list_display = ("name", "team", "status", "source_tool", "model", "in_use", "message_count", "behind", "updated_at")
    list_filter = ("status", "source_tool", "team")
    list_select_related = ("team",)
    search_fields = ("title", "external_id")
    search_help_text = "A title, a tool's session id, or a whole id"
    ordering = ("-updated_at",)
    exclude = documents = ("metadata",)
    actions = ("distil_again", "invalidate", "expire_lapsed")

    @admin.display(description="title", ordering="title")
    def name(self, conversation: Conversation) -> str:
        return excerpt(str(conversation))

    @admin.display(description="in use")
    def in_use(self, conversation: Conversation) -> str:
        return f"{conversation.utilization:.0%}"

    @admin.display(description="not distilled")
    def behind(self, conversation: Conversation) -> int:
        return conversation.last_seq - conversation.folded_seq

    @admin.action(description="Distil the selected conversations anew", permissions=["operate"])
    def distil_again(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> None:
        rows = list(chosen)
        for conversation in rows:
            distilling.ask_again(conversation=conversation)
        self.message_user(request, f"{len(rows)} will be distilled anew.", messages.SUCCESS)

    @admin.action(description="Invalidate the selected conversations", permissions=["operate"])
    def invalidate(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> None:
        rows = list(chosen.select_related("team"))
        for conversation in rows:
            conversations.invalidate(team=conversation.team, conversation_id=conversation.id)
        self.message_user(request, f"{len(rows)} invalidated.", messages.SUCCESS)

    @admin.action(description="Expire all whose time is over, now (whatever is selected)", permissions=["operate"])
    def expire_lapsed(self, request: HttpRequest, chosen: QuerySet[Conversation]) -> None:
        self.message_user(request, f"{conversations.expire_lapsed(now=timezone.now())} expired.", messages.SUCCESS)


@admin.register(Message)
class MessageAdmin(OfConversation, LongHistoryAdmin):
    list_display = ("seq", "its_conversation", "role", "agent", "tokens", "at", "abandoned")
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
