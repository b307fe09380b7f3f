"""The audit log, and the sign-ins that failed."""

from axes.models import AccessAttempt
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin, RowAdmin
from continuity.models import AuditEntry, Invitation


@admin.register(AuditEntry)
class AuditEntryAdmin(LongHistoryAdmin):
    list_display = ("created_at", "team", "action", "actor", "address", "subject", "subject_id")
    list_filter = ("action", "team")
    list_select_related = ("team",)
    id_fields = ("id", "user_id", "key_id", "subject_id")
    ordering = ("-created_at", "-id")


@admin.register(Invitation)
class InvitationAdmin(HistoryAdmin):
    list_display = ("email", "team", "role", "invited_by", "created_at", "expires_at", "accepted_by", "revoked_at")
    list_filter = ("team", "role")
    list_select_related = ("team", "invited_by", "accepted_by")
    id_fields = ("id", "team_id")
    exclude = ("digest",)
    ordering = ("-created_at",)


@admin.register(AccessAttempt)
class FailedSignInAdmin(RowAdmin):
    """Wrong passwords by account and address. Deleting one unlocks it."""

    list_display = ("attempt_time", "username", "ip_address", "failures_since_start")
    search_fields = ("username", "ip_address")
    search_help_text = "An e-mail address, or the address that it was tried from"
    ordering = ("-attempt_time",)
    exclude = ("get_data", "post_data")
    id_fields = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
