"""API keys. What a key's text was nobody can see: only its digest is stored, and not shown either."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from continuity.admin.base import HistoryAdmin
from continuity.admin.confirmation import asked_first
from continuity.core.errors import Conflict
from continuity.models import ApiKey
from continuity.services.accounts import apikeys


@admin.register(ApiKey)
class ApiKeyAdmin(HistoryAdmin):
    list_display = ("name", "team", "begins_with", "scopes", "is_live", "expires_at", "last_used_at", "created_at")
    list_filter = ("team", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("team",)
    search_fields = ("name", "lookup")
    search_help_text = "A name, the part after the first underscore, or a whole id"
    fields = ("name", "team", "begins_with", "scopes", "created_by", "created_at", "last_used_at", "expires_at", "revoked_at")
    ordering = ("-created_at",)
    actions = ("rotate", "revoke")

    @admin.display(description="begins with")
    def begins_with(self, key: ApiKey) -> str:
        return f"{key.kind}_{key.lookup}_…"

    @admin.display(description="live", boolean=True)
    def is_live(self, key: ApiKey) -> bool:
        return key.is_live(timezone.now())

    @admin.action(description="Replace the selected key by a new one, shown once", permissions=["operate"])
    @asked_first("This key stops working at once; a new one with the same name and rights is shown once.")
    def rotate(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> None:
        """One at a time, so that each text is read before the old key is missed."""
        if chosen.count() != 1:
            self.message_user(request, "Choose one key.", messages.WARNING)
            return
        try:
            new, text = apikeys.rotate(key=chosen.get())
        except Conflict as error:
            self.message_user(request, error.detail, messages.WARNING)
            return
        self.message_user(request, f"{new.name}: {text} (shown this once)", messages.SUCCESS)

    @admin.action(description="Revoke the selected keys", permissions=["operate"])
    @asked_first("These keys stop working at once; whatever uses them is refused.")
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> None:
        live = list(chosen.filter(revoked_at=None).select_related("team"))
        for key in live:
            apikeys.revoke(key=key)
        self.message_user(request, f"{len(live)} revoked.", messages.SUCCESS)
