"""API keys. What a key's text was nobody can see: only its digest is stored, and not shown either."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from continuity.admin.base import HistoryAdmin
from continuity.models import ApiKey
from continuity.services import apikeys


@admin.register(ApiKey)
class ApiKeyAdmin(HistoryAdmin):
    list_display = ("name", "team", "begins_with", "scopes", "is_live", "expires_at", "last_used_at", "created_at")
    list_filter = ("team", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("team",)
    search_fields = ("name", "lookup")
    search_help_text = "A name, the part after the first underscore, or a whole id"
    fields = ("name", "team", "begins_with", "scopes", "created_by", "created_at", "last_used_at", "expires_at", "revoked_at")
    ordering = ("-created_at",)
    actions = ("revoke",)

    @admin.display(description="begins with")
    def begins_with(self, key: ApiKey) -> str:
        return f"{key.kind}_{key.lookup}_…"

    @admin.display(description="live", boolean=True)
    def is_live(self, key: ApiKey) -> bool:
        return key.is_live(timezone.now())

    @admin.action(description="Revoke the selected keys", permissions=["operate"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> None:
        live = list(chosen.filter(revoked_at=None).select_related("team"))
        for key in live:
            apikeys.revoke(key=key)
        self.message_user(request, f"{len(live)} revoked.", messages.SUCCESS)
