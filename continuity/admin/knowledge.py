"""Knowledge in the admin: anchors, tasks, files, the fold's state, segments."""

import json
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from continuity.admin.base import LongHistoryAdmin
from continuity.admin.links import OfConversation
from continuity.admin.masked import block, excerpt, masked_column
from continuity.knowledge import versions
from continuity.models import Anchor, CompressedSegment, FileTouch, FoldCheckpoint, FoldState, ModelPass, Segment, Task


class KnowledgeAdmin(OfConversation, LongHistoryAdmin):
    """Rows that distilling writes; people change them through the services, which keep their changes from a re-fold."""

    list_select_related: ClassVar[Any] = ("conversation",)
    id_fields = ("id", "conversation_id")
    search_help_text = "The whole id of a row or of a conversation"


@admin.register(Anchor)
class AnchorAdmin(KnowledgeAdmin):
    list_display = ("said", "type", "its_conversation", "state", "truth", "importance", "critical", "pinned", "source_seq")
    list_filter = ("type", "state", "truth", "critical", "pinned")
    ordering = ("conversation", "key")
    exclude = ("text", "subject", "rationale", "rejected")
    readonly_fields = ("full_text",)

    @admin.display(description="text")
    def said(self, anchor: Anchor) -> str:
        return excerpt(anchor.text)

    @admin.display(description="text, because, not")
    def full_text(self, anchor: Anchor) -> SafeString:
        return block("\n\n".join(filter(None, (anchor.text, anchor.rationale, anchor.rejected))))


@admin.register(Task)
class TaskAdmin(KnowledgeAdmin):
    list_display = ("said", "status", "its_conversation", "steps", "dismissed", "last_seq")
    list_filter = ("status", "dismissed")
    ordering = ("conversation", "key")
    exclude = ("description", "steps_done", "steps_left", "blocking_reason")
    readonly_fields = ("full_text",)

    @admin.display(description="task")
    def said(self, task: Task) -> str:
        return excerpt(task.description)

    @admin.display(description="done")
    def steps(self, task: Task) -> str:
        return f"{len(task.steps_done)} of {len(task.steps_done) + len(task.steps_left)}"

    @admin.display(description="task and steps")
    def full_text(self, task: Task) -> SafeString:
        steps = [f"✓ {step}" for step in task.steps_done] + [f"○ {step}" for step in task.steps_left]
        return block("\n".join(filter(None, (task.description, task.blocking_reason, *steps))))


@admin.register(FileTouch)
class FileTouchAdmin(KnowledgeAdmin):
    list_display = ("masked_path", "action", "its_conversation", "count", "epoch", "last_seq")
    list_filter = ("action",)
    ordering = ("conversation", "path", "action", "epoch")

    @admin.display(description="path", ordering="path")
    def masked_path(self, touch: FileTouch) -> str:
        return excerpt(touch.path)


class Rules(admin.SimpleListFilter):
    """Filters by the rules that folded them; the other versions are not looked for, which would read the whole table."""

    title = "rules"
    parameter_name = "rules"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("current", "Of this release"), ("other", "Of another one")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        current = Q(rules_version=versions.RULES_VERSION)
        return {"current": queryset.filter(current), "other": queryset.exclude(current)}.get(self.value() or "", queryset)


class FoldAdmin(KnowledgeAdmin):
    """What a fold keeps holds words of the conversation, so only its size is shown."""

    list_filter = (Rules,)
    documents = ("state", "segment")
    exclude: ClassVar[Any] = ("state", "segment", "curve", "outline")
    readonly_fields: ClassVar[Any] = ("size",)

    @admin.display(description="bytes")
    def size(self, fold: FoldState | FoldCheckpoint) -> str:
        return f"{len(json.dumps(fold.state)):,}"


@admin.register(FoldState)
class FoldStateAdmin(FoldAdmin):
    list_display = ("through_seq", "its_conversation", "rules_version", "updated_at")
    ordering = ("conversation",)


@admin.register(FoldCheckpoint)
class FoldCheckpointAdmin(FoldAdmin):
    list_display = ("seq", "its_conversation", "rules_version", "created_at")
    ordering = ("conversation", "seq")


@admin.register(ModelPass)
class ModelPassAdmin(KnowledgeAdmin):
    list_display = (
        "__str__",
        "its_conversation",
        masked_column("model"),
        "anchors",
        "tasks",
        "unusable",
        "input_tokens",
        "output_tokens",
        "created_at",
    )
    list_filter = ("unusable",)
    ordering = ("conversation", "first_seq")
    exclude = ("summary",)
    readonly_fields = ("retold",)

    @admin.display(description="summary")
    def retold(self, asked: ModelPass) -> SafeString:
        return block(asked.summary)


@admin.register(Segment)
class SegmentAdmin(KnowledgeAdmin):
    list_display = ("__str__", "its_conversation", "subject", "tokens", "closed")
    list_filter = ("closed",)
    ordering = ("conversation", "first_seq")
    exclude = ("topic",)
    readonly_fields = ("subject",)

    @admin.display(description="topic")
    def subject(self, segment: Segment) -> str:
        return excerpt(segment.topic)


@admin.register(CompressedSegment)
class CompressedSegmentAdmin(LongHistoryAdmin):
    list_display = ("segment", "level", "tokens", "expires_at", "created_at")
    list_filter = ("level",)
    list_select_related = ("segment",)
    id_fields = ("id", "segment_id")
    ordering = ("segment", "level")
    exclude = ("content", "markers")
    readonly_fields = ("shortened",)

    @admin.display(description="content")
    def shortened(self, compressed: CompressedSegment) -> SafeString:
        return block(compressed.content)
