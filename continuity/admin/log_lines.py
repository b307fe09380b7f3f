"""The page on which operators find log lines by their correlation id."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from continuity.admin.base import HistoryAdmin
from continuity.models import LogLine


@admin.register(LogLine)
class LogLineAdmin(HistoryAdmin):
    list_display = ("logged_at", "level", "component", "message", "correlation_id", "host", "process")
    list_filter = ("level",)
    search_fields = ("correlation_id",)
    search_help_text = "A whole correlation id: the X-Correlation-ID of an answer, or a start's run-…"
    ordering = ("-logged_at", "-id")

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[LogLine], search_term: str) -> tuple[QuerySet[LogLine], bool]:
        """Searches by the whole id alone, as it was logged: that reads the index, and callers choose ids of any form."""
        wanted = search_term.strip()
        return (queryset.filter(correlation_id=wanted) if wanted and "\0" not in wanted else queryset), False
