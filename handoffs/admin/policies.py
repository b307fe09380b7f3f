"""When teams hand off."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from continuity.admin.base import HistoryAdmin, RowAdmin
from continuity.core.errors import Invalid
from continuity.models import Conversation, User
from handoffs.models import HandoffPolicy
from handoffs.services.packages import policies
from handoffs.services.packages.authors import Author


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
