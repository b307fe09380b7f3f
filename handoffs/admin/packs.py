"""The operators' view of packs: repositories, caches, sessions, what was captured. History: people decide on the repository's page."""

from django.contrib import admin

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.links import OfConversation
from continuity.admin.masked import masked_column
from handoffs.models import Artifact, FileSummary, PackPolicy, PackSession, RankedSearch, Repository, StoredPack


@admin.register(Repository)
class RepositoryAdmin(HistoryAdmin):
    list_display = ("id", masked_column("name"), masked_column("remote"), "team", "seen_at", "created_at")
    list_filter = ("team",)
    list_select_related = ("team",)
    id_fields = ("id",)
    search_help_text = "The whole id of a repository"
    ordering = ("-seen_at",)
    exclude = ("name", "remote")


@admin.register(PackPolicy)
class PackPolicyAdmin(HistoryAdmin):
    list_display = ("id", "team", "mode", "contents", "diff_lines", "drafts_a_day", "updated_by", "updated_at")
    list_filter = ("mode", "contents", "team")
    list_select_related = ("team", "updated_by")
    id_fields = ("id",)
    search_help_text = "The whole id of a policy"
    ordering = ("-updated_at",)


@admin.register(PackSession)
class PackSessionAdmin(OfConversation, HistoryAdmin):
    list_display = (
        "id",
        "its_conversation",
        "team",
        "turns",
        "hits",
        "built",
        "given_bytes",
        "would_bytes",
        "wanted",
        "low_token",
        "seen_at",
    )
    list_filter = ("wanted", "low_token", "team")
    list_select_related = ("conversation", "team")
    id_fields = ("id", "conversation_id", "repository_id")
    search_help_text = "The whole id of a session's state, its conversation or its repository"
    ordering = ("-seen_at",)
    exclude = ("root", "files", "arrived")
    documents = ("files", "arrived", "calls", "reasons")


@admin.register(StoredPack)
class StoredPackAdmin(OfConversation, LongHistoryAdmin):
    list_display = ("id", "its_conversation", "team", "head", "mode", "profile", "created_at", "used_at")
    list_filter = ("mode", "profile", "team")
    list_select_related = ("conversation", "team")
    id_fields = ("id", "conversation_id", "repository_id")
    search_help_text = "The whole id of packs, their conversation or their repository"
    ordering = ("-created_at",)
    exclude = documents = ("anchor", "context", "delta", "paths")


@admin.register(RankedSearch)
class RankedSearchAdmin(OfConversation, LongHistoryAdmin):
    list_display = ("id", "its_conversation", "team", "commit", "created_at", "used_at")
    list_filter = ("team",)
    list_select_related = ("conversation", "team")
    id_fields = ("id", "conversation_id", "repository_id")
    search_help_text = "The whole id of a search, its conversation or its repository"
    ordering = ("-created_at",)
    exclude = documents = ("found",)


@admin.register(FileSummary)
class FileSummaryAdmin(LongHistoryAdmin):
    list_display = ("id", masked_column("path"), "blob", "team", "size", "created_at", "used_at")
    list_filter = ("team",)
    list_select_related = ("team",)
    id_fields = ("id", "repository_id")
    search_help_text = "The whole id of a summary or of its repository"
    ordering = ("-created_at",)
    exclude = ("path", "symbols")
    documents = ("symbols",)


@admin.register(Artifact)
class ArtifactAdmin(OfConversation, HistoryAdmin):
    list_display = ("id", "its_conversation", masked_column("title"), "kind", "trigger", "status", "team", "decided_by", "created_at")
    list_filter = ("status", "kind", "trigger", "team")
    list_select_related = ("conversation", "team", "decided_by")
    id_fields = ("id", "conversation_id", "repository_id")
    search_help_text = "The whole id of an artifact, its conversation or its repository"
    ordering = ("-created_at",)
    exclude = ("sentences", "text", "title", "subject", "files")
    documents = ("sentences", "files")
