"""The page on which operators find log lines by their correlation id."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin
from continuity.models import LogLine


@admin.register(LogLine)
class LogLineAdmin(HistoryAdmin):
    list_display = ("logged_at", "level", "component", "message", "correlation_id", "host", "process")
    list_filter = ("level",)
    search_fields = ("correlation_id",)
    id_fields = ("correlation_id",)
    search_help_text = "A whole correlation id: the X-Correlation-ID of an answer, or a start's run-…"
    ordering = ("-logged_at", "-id")
