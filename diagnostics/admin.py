"""The operators' view of what is measured."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from diagnostics.models import Attempt, ScheduledRun, Series


@admin.register(Attempt)
class AttemptAdmin(LongHistoryAdmin):
    list_display = ("kind", "team", "succeeded", "reason", "duration_ms", "anchor_preservation", "task_preservation", "at")
    list_filter = ("kind", "succeeded", "team")
    list_select_related = ("team",)
    search_help_text = "The whole id of the event that told of it"
    ordering = ("-at",)


@admin.register(Series)
class SeriesAdmin(HistoryAdmin):
    list_display = ("instrument", "id_label", "subject", "labels", "count", "total", "updated_at")
    list_filter = ("instrument", "id_label")
    search_fields = ("subject",)
    search_help_text = "The id that it is about"
    id_fields = ("subject",)
    ordering = ("instrument", "subject")


@admin.register(ScheduledRun)
class ScheduledRunAdmin(HistoryAdmin):
    list_display = ("name", "started_at", "finished_at", "took", "runs", "failures", "failed_at", "error")
    search_fields = ("name",)
    search_help_text = "A task"
    id_fields = ()
    ordering = ("name",)

    @admin.display(description="took", ordering="seconds")
    def took(self, run: ScheduledRun) -> str:
        return "–" if run.seconds is None else f"{run.seconds:.2f} s"
