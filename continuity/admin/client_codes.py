"""Codes by which clients get their keys. What a code says nobody can see: only its digest is stored, and not shown either."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin
from continuity.models import ClientCode


@admin.register(ClientCode)
class ClientCodeAdmin(HistoryAdmin):
    list_display = ("created_by", "team", "created_at", "expires_at", "redeemed_at")
    list_filter = ("team", ("redeemed_at", admin.EmptyFieldListFilter))
    list_select_related = ("team", "created_by")
    fields = ("created_by", "team", "created_at", "expires_at", "redeemed_at")
    ordering = ("-created_at",)
