"""The operators' view of handoffs, chains, resumptions, and what is left of deleted ones."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin, RowAdmin
from continuity.admin.confirmation import asked_first
from continuity.admin.links import OfConversation, link_to
from continuity.admin.masked import block, excerpt, masked_column
from continuity.core.errors import DomainError, Invalid
from continuity.models import Conversation, User
from handoffs.models import (
    FidelityCheck,
    Handoff,
    HandoffChain,
    HandoffEdit,
    HandoffOverride,
    HandoffPolicy,
    HandoffRating,
    HandoffTombstone,
    NoteStatement,
    OfferAnswer,
    ProbeBank,
    ProbeCheckpoint,
    Receipt,
    Resumption,
    StoredNote,
)
from handoffs.models.handoffs import DOCUMENTS
from handoffs.services.edits import package_edits
from handoffs.services.packages import cleanup, handoffs, policies
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


class PolicyForm(forms.ModelForm):  # type: ignore[type-arg]
    """What `policies.change` takes; what it would refuse is said at the field."""

    # By its id, whose field shows no title.
    conversation = forms.ModelChoiceField(
        queryset=Conversation.objects.all(), required=False, label="Conversation (its id; empty: the team)", widget=forms.TextInput
    )

    class Meta:
        model = HandoffPolicy
        fields = ("team", "conversation", *policies.THRESHOLDS, "cooldown_seconds", *policies.PREPARING)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        team = self.instance.team if self.instance.team_id else given.get("team")
        conversation = self.instance.conversation if self.instance.team_id else given.get("conversation")
        if team is None or self.errors:
            return given
        if conversation is not None and conversation.team_id != team.id:
            self.add_error("conversation", "This conversation is of another team.")
            return given
        try:
            policies.check(team=team, conversation=conversation, changes=self.changes())
        except Invalid as error:
            self.add_error(error.data.get("field") if error.data.get("field") in self.fields else None, error.detail)
        return given

    def changes(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name in policies.EDITABLE}


@admin.register(HandoffPolicy)
class HandoffPolicyAdmin(HistoryAdmin):
    """Of a team, or of one conversation; a field left empty takes what the team or the default says."""

    form = PolicyForm
    autocomplete_fields = ("team",)
    list_display = ("id", "team", "conversation_id", "automatic", "review", "handoff_at", "updated_by", "updated_at")
    list_filter = ("automatic", "review", "team")
    list_select_related = ("team", "updated_by")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a policy or of its conversation"
    ordering = ("-updated_at",)

    def get_readonly_fields(self, request: HttpRequest, obj: HandoffPolicy | None = None) -> tuple[str, ...]:
        return ("team", "conversation") if obj else ()

    # Not deleted: empty fields do the same, and are told of.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return RowAdmin.has_add_permission(self, request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return RowAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: HandoffPolicy, form: Any, change: bool) -> None:
        policies.change(team=obj.team, conversation=obj.conversation, changes=form.changes(), author=Author(user=cast(User, request.user)))
        obj.pk = policies.own(team=obj.team, conversation=obj.conversation).pk


@admin.register(OfferAnswer)
class OfferAnswerAdmin(HistoryAdmin):
    list_display = ("id", "handoff_id", "accepted", "giver", "answered_by", "team", "created_at")
    list_filter = ("accepted", "team")
    list_select_related = ("team", "giver", "answered_by")
    id_fields = ("id", "handoff_id")
    search_help_text = "The whole id of an answer or of its handoff"
    ordering = ("-created_at",)


@admin.register(Receipt)
class ReceiptAdmin(HistoryAdmin):
    list_display = ("id", "resumption_id", "handoff_id", "team", "loaded_at", "head_commit")
    list_filter = ("team",)
    list_select_related = ("team",)
    id_fields = ("id", "handoff_id", "resumption_id")
    search_help_text = "The whole id of a receipt, a resumption or a handoff"
    ordering = ("-loaded_at",)


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


@admin.register(HandoffTombstone)
class HandoffTombstoneAdmin(HistoryAdmin):
    list_display = ("id", "team", "conversation", "reason", "deleted_at")
    list_filter = ("reason", "team")
    list_select_related = ("team",)
    id_fields = ("id", "conversation")
    search_help_text = "The whole id of a deleted handoff or of its conversation"
    ordering = ("-deleted_at",)
