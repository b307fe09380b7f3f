"""Events, their readers, jobs, and kept replies."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin, OfConversation, block
from continuity.models import Cleanup, Cursor, Erasure, Event, IdempotentReply, Job, Notice
from continuity.services import cleanups, jobs


@admin.register(Event)
class EventAdmin(LongHistoryAdmin):
    list_display = ("position", "name", "team", "subject_id", "critical", "attempts", "created_at", "dispatched_at", "relayed_at")
    list_filter = ("critical", ("dispatched_at", admin.EmptyFieldListFilter), ("relayed_at", admin.EmptyFieldListFilter))
    list_select_related = ("team",)
    list_display_links = ("name",)
    id_fields = ("id", "subject_id")
    search_help_text = "The whole id of an event or of what it is about"
    ordering = ("-position",)


@admin.register(Cursor)
class CursorAdmin(HistoryAdmin):
    list_display = ("consumer", "position", "updated_at")
    search_fields = ("consumer",)
    search_help_text = "A consumer"
    id_fields = ()


@admin.register(Job)
class JobAdmin(OfConversation, HistoryAdmin):
    list_display = ("kind", "status", "team", "its_conversation", "progress", "attempts", "created_at", "finished_at")
    list_filter = ("status", "kind", "team")
    list_select_related = ("team", "conversation")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a job or of a conversation"
    ordering = ("-created_at",)
    exclude = ("error", "warnings", "lease_token")
    readonly_fields = ("said",)
    actions = ("try_again",)

    @admin.action(description="Try the selected failed jobs again", permissions=["operate"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Job]) -> None:
        tried = sum(jobs.try_again(job=job) for job in chosen)
        self.message_user(request, f"{tried} queued.", messages.SUCCESS)

    @admin.display(description="progress")
    def progress(self, job: Job) -> str:
        return f"{job.done:,} of {job.total:,}" if job.total else "–"

    @admin.display(description="error and warnings")
    def said(self, job: Job) -> SafeString:
        return block("\n".join(filter(None, (job.error, *job.warnings))))


@admin.register(Cleanup)
class CleanupAdmin(OfConversation, HistoryAdmin):
    list_display = ("attempts", "its_conversation", "team", "error", "due_at", "alerted_at", "done_at")
    list_filter = ("team", ("done_at", admin.EmptyFieldListFilter), ("alerted_at", admin.EmptyFieldListFilter))
    list_select_related = ("team", "conversation")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a conversation"
    ordering = ("-created_at",)
    actions = ("clean_up_now",)

    @admin.action(description="Clean up the selected conversations now", permissions=["operate"])
    def clean_up_now(self, request: HttpRequest, chosen: QuerySet[Cleanup]) -> None:
        tried = cleanups.hurry(chosen=chosen, now=timezone.now())
        self.message_user(request, f"{tried} tried.", messages.SUCCESS)


@admin.register(Notice)
class NoticeAdmin(OfConversation, HistoryAdmin):
    list_display = ("kind", "its_conversation", "team", "owner", "due_at", "created_at")
    list_filter = ("team", "kind")
    list_select_related = ("team", "owner", "conversation")
    id_fields = ("id", "subject_id", "conversation_id")
    search_help_text = "The whole id of a conversation or handoff"
    ordering = ("-created_at",)


@admin.register(Erasure)
class ErasureAdmin(HistoryAdmin):
    list_display = ("conversation", "scope", "team", "erased_as", "created_at", "completed_at")
    list_filter = ("scope", "team", ("completed_at", admin.EmptyFieldListFilter))
    list_select_related = ("team",)
    id_fields = ("id", "conversation")
    search_help_text = "The whole id of a conversation"
    ordering = ("-created_at",)


@admin.register(IdempotentReply)
class IdempotentReplyAdmin(LongHistoryAdmin):
    """The reply's body may hold a conversation's words and is not shown."""

    list_display = ("key", "team", "status", "created_at")
    list_filter = ("status",)
    list_select_related = ("team",)
    ordering = ("-created_at",)
    exclude = ("body", "request_digest")
