"""The operators' view of what is measured."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.links import OfConversation
from diagnostics.models import Alert, AlertSeen, Attempt, AuditReport, CustomSeries, ScheduledRun, Series, Uptime
from diagnostics.services import auditing

AT_ONCE = 100


@admin.register(Attempt)
class AttemptAdmin(LongHistoryAdmin):
    list_display = ("kind", "team", "succeeded", "reason", "duration_ms", "anchor_preservation", "task_preservation", "at")
    list_filter = ("kind", "succeeded", "team")
    list_select_related = ("team",)
    search_help_text = "The whole id of the event that told of it"
    ordering = ("-at",)


@admin.register(AuditReport)
class AuditReportAdmin(OfConversation, HistoryAdmin):
    list_display = ("id", "its_conversation", "team", "differing", "through_seq", "anchors", "tasks", "duration_ms", "created_at")
    list_filter = ("team",)
    list_select_related = ("conversation", "team")
    id_fields = ("id", "conversation_id", "handoff_id")
    search_help_text = "The whole id of an audit, its conversation or its handoff"
    ordering = ("-created_at",)
    actions = ("audit_again",)

    @admin.action(description="Audit these conversations again", permissions=["operate"])
    def audit_again(self, request: HttpRequest, chosen: QuerySet[AuditReport]) -> None:
        again = list(chosen.select_related("team")[:AT_ONCE])
        for report in again:
            auditing.submit(team=report.team, conversation_id=report.conversation_id, handoff_id=report.handoff_id)
        self.message_user(request, f"{len(again)} audits begun.", messages.SUCCESS)


@admin.register(Series)
class SeriesAdmin(HistoryAdmin):
    list_display = ("instrument", "id_label", "subject", "labels", "count", "total", "updated_at")
    list_filter = ("instrument", "id_label")
    search_fields = ("subject",)
    search_help_text = "The id that it is about"
    id_fields = ("subject",)
    ordering = ("instrument", "subject")


@admin.register(Alert)
class AlertAdmin(LongHistoryAdmin):
    list_display = ("rule", "severity", "team", "subject_id", "retries", "since", "raised_at", "over_at")
    list_filter = ("rule", "severity", "team", ("over_at", admin.EmptyFieldListFilter))
    list_select_related = ("team",)
    search_help_text = "The whole id of the alert"
    ordering = ("-raised_at",)


@admin.register(AlertSeen)
class AlertSeenAdmin(HistoryAdmin):
    list_display = ("alert", "user", "created_at")
    list_select_related = ("alert", "user")
    search_help_text = "The whole id of the alert"
    id_fields = ("alert_id",)
    ordering = ("-created_at",)


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


@admin.register(CustomSeries)
class CustomSeriesAdmin(HistoryAdmin):
    list_display = ("name", "team", "kind", "labels", "count", "total", "updated_at")
    list_filter = ("kind", "team")
    list_select_related = ("team",)
    search_fields = ("name",)
    search_help_text = "A name"
    id_fields = ()
    ordering = ("name",)


@admin.register(Uptime)
class UptimeAdmin(HistoryAdmin):
    list_display = ("month", "since", "looked_at", "ready", "ready_seconds")
    search_help_text = "Nothing can be searched for"
    id_fields = ()
    ordering = ("-month",)
