"""The operators' view of handoffs, chains, resumptions, and what is left of deleted ones."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin
from continuity.admin.confirmation import asked_first
from continuity.admin.links import OfConversation
from continuity.admin.masked import block, excerpt, masked_column
from continuity.core.errors import DomainError
from handoffs.models import Handoff, HandoffEdit, HandoffRating, HandoffTombstone, OfferAnswer
from handoffs.models.handoffs import DOCUMENTS
from handoffs.services.edits import package_edits
from handoffs.services.packages import cleanup, handoffs
from handoffs.services.packages.authors import Author


@admin.register(Handoff)
class HandoffAdmin(OfConversation, HistoryAdmin):
    list_display = ("number", "its_conversation", "status", "team", "fidelity_score", "token_count", "owner", "created_at", "expires_at")
    list_filter = ("status", "style", "team")
    list_select_related = ("conversation", "team", "owner")
    id_fields = ("id", "conversation_id", "chain_id")
    search_help_text = "The whole id of a handoff, a conversation or a chain"
    ordering = ("-created_at",)
    exclude = (*(name for name in DOCUMENTS if name != "metadata"), "failure")
    readonly_fields = ("directive", "why_it_failed")
    documents = ("rest", "references", "anchors", "pending_tasks", "text", "continuation_directive", "fidelity")
    actions = ("make_again", "expire", "delete_expired")

    @admin.display(description="handoff", ordering="number")
    def number(self, handoff: Handoff) -> str:
        return f"{handoff.number} of its chain"

    @admin.display(description="directive, secrets masked")
    def directive(self, handoff: Handoff) -> SafeString:
        return block(handoffs.directive_text(handoff))

    @admin.display(description="failure")
    def why_it_failed(self, handoff: Handoff) -> str:
        return excerpt(handoff.failure, 2000)

    @admin.action(description="Make the selected packages again, and check them", permissions=["operate"])
    def make_again(self, request: HttpRequest, chosen: QuerySet[Handoff]) -> None:
        """Those that may still be changed; a failed one that passes now is ready. What is refused is said."""
        made = 0
        for handoff in list(chosen.select_related("team")):
            try:
                package_edits.regenerate(team=handoff.team, handoff_id=handoff.id, author=Author(), changes={})
                made += 1
            except DomainError as error:
                self.message_user(request, f"Handoff {handoff.id}: {error.detail}", messages.WARNING)
        self.message_user(request, f"{made} made again.", messages.SUCCESS)

    @admin.action(description="Expire the selected handoffs that nobody resumed", permissions=["operate"])
    @asked_first("Those of these handoffs that nobody resumed are deleted.")
    def expire(self, request: HttpRequest, chosen: QuerySet[Handoff]) -> None:
        ids = {team: [row.id for row in chosen if row.team_id == team.id] for team in {row.team for row in chosen.select_related("team")}}
        gone = sum(cleanup.expire(team=team, handoff_ids=of_team, now=timezone.now()) for team, of_team in ids.items())
        self.message_user(request, f"{gone} expired.", messages.SUCCESS)

    @admin.action(description="Delete all expired, unresumed handoffs now (whatever is selected)", permissions=["operate"])
    @asked_first("Every handoff whose time is over and that nobody resumed is deleted.", of_all=True)
    def delete_expired(self, request: HttpRequest, chosen: QuerySet[Handoff]) -> None:
        self.message_user(request, f"{cleanup.delete_expired(now=timezone.now())} deleted.", messages.SUCCESS)


@admin.register(HandoffEdit)
class HandoffEditAdmin(HistoryAdmin):
    list_display = ("id", "action", "target", "reference", "handoff_id", "team", "made_by", "made_with", "created_at", "undone_at")
    list_filter = ("action", "target", "team")
    list_select_related = ("team", "made_by", "made_with")
    id_fields = ("id", "handoff_id")
    search_help_text = "The whole id of a change or of its handoff"
    ordering = ("-created_at",)


@admin.register(HandoffRating)
class HandoffRatingAdmin(HistoryAdmin):
    list_display = ("id", "handoff_id", "kind", "useful", "line", masked_column("text"), "team", "made_by", "made_with", "created_at")
    list_filter = ("kind", "useful", "team")
    list_select_related = ("team", "made_by", "made_with")
    id_fields = ("id", "handoff_id")
    search_help_text = "The whole id of a rating or of its handoff"
    ordering = ("-created_at",)


@admin.register(OfferAnswer)
class OfferAnswerAdmin(HistoryAdmin):
    list_display = ("id", "handoff_id", "accepted", "giver", "answered_by", "team", "created_at")
    list_filter = ("accepted", "team")
    list_select_related = ("team", "giver", "answered_by")
    id_fields = ("id", "handoff_id")
    search_help_text = "The whole id of an answer or of its handoff"
    ordering = ("-created_at",)


@admin.register(HandoffTombstone)
class HandoffTombstoneAdmin(HistoryAdmin):
    list_display = ("id", "team", "conversation", "reason", "deleted_at")
    list_filter = ("reason", "team")
    list_select_related = ("team",)
    id_fields = ("id", "conversation")
    search_help_text = "The whole id of a deleted handoff or of its conversation"
    ordering = ("-deleted_at",)
