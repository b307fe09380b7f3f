"""Jobs, work that was put off, messages that could not be read, cleaning up and erasing, and kept replies."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.confirmation import asked_first
from continuity.admin.links import OfConversation
from continuity.admin.masked import block
from continuity.models import CheckedOutCommit, Cleanup, Deferral, Erasure, IdempotentReply, Job, Notice, SkippedMessage
from continuity.services.erasure import cleanups
from continuity.services.jobs import deferrals, jobs


@admin.register(Deferral)
class DeferralAdmin(OfConversation, HistoryAdmin):
    list_display = ("kind", "its_conversation", "team", "attempts", "error", "failed_at", "not_before", "alerted_at")
    list_filter = ("kind", "team", ("alerted_at", admin.EmptyFieldListFilter))
    list_select_related = ("team", "conversation")
    id_fields = ("id", "subject_id", "conversation_id")
    search_help_text = "The whole id of a conversation or of another row that work was put off on"
    ordering = ("-created_at",)
    actions = ("try_now",)

    @admin.action(description="Try the selected work with the next sweep", permissions=["operate"])
    def try_now(self, request: HttpRequest, chosen: QuerySet[Deferral]) -> None:
        hurried = deferrals.hurry(chosen=Deferral.objects.filter(id__in=chosen.values("id")), now=timezone.now())
        self.message_user(request, f"{hurried} will be tried with the next sweep.", messages.SUCCESS)


@admin.register(SkippedMessage)
class SkippedMessageAdmin(OfConversation, HistoryAdmin):
    list_display = ("seq", "its_conversation", "team", "reader", "error", "place", "created_at")
    list_filter = ("reader", "team")
    list_select_related = ("team", "conversation")
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a conversation"
    ordering = ("-created_at",)


@admin.register(CheckedOutCommit)
class CheckedOutCommitAdmin(OfConversation, HistoryAdmin):
    list_display = ("commit", "seq", "its_conversation", "team", "before", "created_at")
    list_filter = ("team",)
    list_select_related = ("team", "conversation")
    search_fields = ("commit",)
    id_fields = ("id", "conversation_id")
    search_help_text = "The beginning of a commit's id, or the whole id of a conversation"
    ordering = ("-created_at",)


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
    @asked_first("What is left of these conversations is deleted now, before its time.")
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
